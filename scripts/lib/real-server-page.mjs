// Writes docs/real-server.md: the deviations of an independent server from the specification, and the limits
// of its profile.
import { table } from './reference-pages.mjs'

const modeNames = { open: 'without authentication', login: 'with authentication' }

/** The runs in which a rule has a verdict, by mode and in their order: each has a number. */
function places(judged, verdictOf) {
  return Object.keys(modeNames).map((mode) => {
    const runs = judged.filter((run) => run.mode === mode)
    const where = runs.flatMap((run, index) => (verdictOf(run) ? [index + 1] : []))
    return where.length === runs.length ? 'all' : where.join(', ')
  })
}

function runTable(judged) {
  const rows = Object.entries(modeNames).flatMap(([mode, modeName]) =>
    judged
      .filter((run) => run.mode === mode)
      .map(({ name, summary }, index) => [modeName, `${index + 1}: ${name}`, summary]),
  )
  return table(['Mode', 'Run', 'Result'], rows)
}

const findingOf = ({ findings }, id, kinds) =>
  findings.find(({ rule, verdict }) => rule.id === id && kinds.includes(verdict.kind))

/** The reasons of all deviations of a rule; a deviation that is not in the baseline has its headline. */
function behaviorOf(findings) {
  const evidence = findings.flatMap(({ verdict }) => [verdict.evidence, ...verdict.further])
  const texts = evidence.map(({ known, headline }) => known ?? `Not in the baseline: ${headline}.`)
  return [...new Set(texts)].join(' ')
}

/** Each rule that fails in a run, once, with the runs in which it fails. */
function deviations(judged) {
  const failed = judged.flatMap(({ findings }) => findings.filter(({ verdict }) => verdict.kind === 'failed'))
  const rules = new Map(failed.map(({ rule }) => [rule.id, rule]))
  const rows = [...rules].map(([id, rule]) => [
    `\`${id}\``,
    rule.sentence.line,
    rule.source,
    behaviorOf(failed.filter((finding) => finding.rule.id === id)),
    ...places(judged, (run) => findingOf(run, id, ['failed'])),
  ])
  return table(['Rule', 'Line', 'Source', 'Behavior of the server', ...Object.values(modeNames)], rows)
}

/** Returns the rules without a verdict by reason, with their runs. */
function unjudged(judged) {
  const kinds = ['blocked', 'skipped']
  const reasons = new Map()
  for (const { mode, name, findings } of judged)
    for (const { rule, verdict } of findings.filter((finding) => kinds.includes(finding.verdict.kind))) {
      const why = verdict.missing ?? verdict.flag
      const known = reasons.get(why) ?? { ids: new Set(), runs: new Set() }
      reasons.set(why, { ids: known.ids.add(rule.id), runs: known.runs.add(`${modeNames[mode]}, ${name}`) })
    }
  const rows = [...reasons].map(([why, { ids, runs }]) => [
    why,
    [...ids].map((id) => `\`${id}\``).join(' '),
    [...runs].join('; '),
  ])
  return table(['Reason', 'Rules', 'Runs'], rows)
}

/**
 * Returns the side effects and the remaining records of the runs; pipelines that remain without the
 * conventions are counted.
 */
function left(judged) {
  return judged.flatMap(({ mode, name, harm, leftBehind }) => {
    const pipelines = leftBehind.filter((path) => /^\/api\/pipelines\/[^/]+$/.test(path))
    const lines = [...harm, ...leftBehind.filter((path) => !pipelines.includes(path))]
    if (pipelines.length > 0) lines.push(`${pipelines.length} pipelines`)
    return lines.map((line) => `- ${modeNames[mode]}, ${name}: ${line}`)
  })
}

/** The page, from what the runs found and the stated limits of the profile. */
export function realServerPage({ version, baseline, judged, limits }) {
  const rows = limits.map(({ operation, at, reason }) => [`\`${operation}\``, `\`${at}\``, reason])
  return `# Deviations of a real server

This page shows how Mage AI ${version}, an independent server of this API, deviates from the API specification. \`npm run verify:real\` writes
it (do not edit). It verifies the server several times in each authentication mode. The reasons are from
\`${baseline}\`. All other rules passed, or were not checked.

${runTable(judged)}

## Deviations

The last columns name the runs that show the deviation.

${deviations(judged)}

## Rules that were not checked

${unjudged(judged)}

## Side effects and records left behind

${left(judged).join('\n')}

## Limits of the profile

\`npm run learn:real\` runs the same request sequences on this server and on the mock with \`--profile mage-ai-${version}\`. It compares the replies:
HTTP status, errors, attributes, timestamp formats and values. These differences are permanent:

${table(['Operation', 'Where', 'Reason'], rows)}
`
}
