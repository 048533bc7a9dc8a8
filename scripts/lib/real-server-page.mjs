// Writes docs/real-server.md: what an independent server does otherwise than the document, and what its profile does not.

const cell = (text) =>
  String(text ?? '')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

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
  const rows = judged.map(({ mode, name, summary }, index) => [
    modeNames[mode],
    `${(index % (judged.length / 2)) + 1}: ${name}`,
    summary,
  ])
  return table(['mode', 'run', 'what came of it'], rows)
}

const findingOf = ({ findings }, id, kinds) =>
  findings.find(({ rule, verdict }) => rule.id === id && kinds.includes(verdict.kind))

/** Each rule that deviates somewhere, once, with the runs in which it does. */
function deviations(judged) {
  const all = judged.flatMap(({ findings }) => findings.filter(({ verdict }) => verdict.kind === 'broken'))
  const byId = new Map(all.map((finding) => [finding.rule.id, finding]))
  const rows = [...byId].map(([id, { rule, known }]) => [
    `\`${id}\``,
    rule.line,
    rule.basis,
    known ?? 'not in the baseline',
    ...places(judged, (run) => findingOf(run, id, ['broken'])),
  ])
  return table(['rule', 'line', 'basis', 'what it does instead', ...Object.values(modeNames)], rows)
}

/** What was not judged, by why; each with the rules and the runs. */
function unjudged(judged) {
  const kinds = ['not reached', 'skipped']
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
  return table(['why', 'rules', 'where'], rows)
}

/** What the runs have harmed and left; pipelines that stay without the conventions are counted. */
function left(judged) {
  return judged.flatMap(({ mode, name, harm, leftBehind }) => {
    const pipelines = leftBehind.filter((path) => /^\/api\/pipelines\/[^/]+$/.test(path))
    const lines = [...harm, ...leftBehind.filter((path) => !pipelines.includes(path))]
    if (pipelines.length > 0) lines.push(`${pipelines.length} pipelines, each told by its path`)
    return lines.map((line) => `- ${modeNames[mode]}, ${name}: ${line}`)
  })
}

/** The page, from what the runs found and the stated limits of the profile. */
export function realServerPage({ version, baseline, judged, limits }) {
  const rows = limits.map(({ operation, at, reason }) => [`\`${operation}\``, `\`${at}\``, reason])
  return `# A real server, judged

Mage AI ${version}, an independent server of this API, judged by \`npm run verify:real\` (generated; do not edit) four times in
each of its modes, each run on the server that the one before has left. What it does otherwise, with the line of the document and on
what that rests; the reasons are those of \`${baseline}\`. Every other rule holds.

${runTable(judged)}

Without the conventions nothing more deviates: a pipeline that was made stays, is told, and shows its type outside the list and a
backfill without a name to whoever looks later.

What no reply shows: it keeps the files of blocks of type \`callback\`, \`conditional\`, \`chart\` and \`extension\`, and of blocks it
refuses, in the folder of its project, and the names of tags, whatever is deleted.

## What it does otherwise

The last columns name the runs in which it shows.

${deviations(judged)}

## What was not judged

${unjudged(judged)}

## What was harmed, and what stayed

${left(judged).join('\n')}

## The profile beside it

\`npm run learn:real\` tells the stories to this server and to the understudy under \`--profile mage-ai-${version}\`, and compares
the replies: HTTP status, errors, attributes, the forms of moments, values. A client of others, the gateway MageAPI, was run on both:
what it asked, and what this server answered, is replayed in every test run. What is not the same, and stays so:

${table(['operation', 'where', 'why'], rows)}
`
}
