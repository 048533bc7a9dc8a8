// Generates the tables of docs/real-server.md: the deviations of an independent server from the specification,
// and the limits of its profile.
import { code, list, table } from './markdown.mjs'

const modeNames = { open: 'without authentication', login: 'with authentication' }

/** The runs in which a rule has a verdict, by mode and in their order: each has a number. */
function places(checked, verdictOf) {
  return Object.keys(modeNames).map((mode) => {
    const runs = checked.filter((run) => run.mode === mode)
    const where = runs.flatMap((run, index) => (verdictOf(run) ? [index + 1] : []))
    return where.length === runs.length ? 'all' : where.join(', ')
  })
}

function runTable(checked) {
  const rows = Object.entries(modeNames).flatMap(([mode, modeName]) =>
    checked
      .filter((run) => run.mode === mode)
      .map(({ name, summary }, index) => [modeName, `${index + 1}: ${name}`, summary]),
  )
  return table(['Mode', 'Run', 'Result'], rows)
}

/** The deviations of a run, each with its rule. */
const deviationsIn = ({ findings }) =>
  findings.flatMap(({ rule, verdict }) =>
    verdict.kind === 'failed'
      ? [verdict.evidence, ...verdict.further].map((evidence) => ({ rule, evidence }))
      : [],
  )

/** The deviations that have one row: the same received value with the same reason. */
const rowOf = ({ operation, attribute, receivedForm, known }) =>
  JSON.stringify([operation, attribute, receivedForm, known])

/** The rows of one operation: the received value, the reason, the rules with line and source, and the runs that show it. */
function deviationRows(checked, operation) {
  const rows = new Map()
  for (const run of checked)
    for (const { rule, evidence } of deviationsIn(run)) {
      if (evidence.operation !== operation) continue
      const key = rowOf(evidence)
      const row = rows.get(key) ?? { evidence, rules: new Map(), runs: new Set() }
      rows.set(key, row)
      row.rules.set(rule.id, `${code(rule.id)} (line ${rule.sentence.line}, ${rule.source})`)
      row.runs.add(run)
    }
  return [...rows.values()].map(({ evidence, rules, runs }) => [
    evidence.attribute === undefined ? '' : code(evidence.attribute),
    code(evidence.expectedForm.replaceAll('`', '')),
    code(evidence.receivedForm),
    evidence.known ?? `Not in the baseline: ${evidence.headline}.`,
    [...rules.values()].join(', '),
    ...places(checked, (run) => runs.has(run)),
  ])
}

/** Each deviation of a run once, by operation. */
function deviations(checked) {
  const all = checked.flatMap(deviationsIn)
  const operations = [...new Set(all.map(({ evidence }) => evidence.operation))].sort()
  const head = ['Attribute', 'Expected', 'Received', 'Behavior of the server', 'Rules']
  return operations
    .map((operation) => {
      const rows = deviationRows(checked, operation)
      return `### ${operation}\n\n${table([...head, ...Object.values(modeNames)], rows)}`
    })
    .join('\n\n')
}

/** Returns the rules without a verdict by reason, with their runs. */
function unchecked(checked) {
  const kinds = ['blocked', 'skipped']
  const reasons = new Map()
  for (const { mode, name, findings } of checked)
    for (const { rule, verdict } of findings.filter((finding) => kinds.includes(finding.verdict.kind))) {
      const why = verdict.missing ?? verdict.flag
      const known = reasons.get(why) ?? { ids: new Set(), runs: new Set() }
      reasons.set(why, { ids: known.ids.add(rule.id), runs: known.runs.add(`${modeNames[mode]}, ${name}`) })
    }
  const rows = [...reasons].map(([why, { ids, runs }]) => [why, list([...ids]), [...runs].join('; ')])
  return table(['Reason', 'Rules', 'Runs'], rows)
}

/**
 * Returns the side effects and the remaining records of the runs; counts pipelines that remain without the conventions.
 */
function left(checked) {
  return checked.flatMap(({ mode, name, harm, leftBehind }) => {
    const pipelines = leftBehind.filter((path) => /^\/api\/pipelines\/[^/]+$/.test(path))
    const lines = [...harm, ...leftBehind.filter((path) => !pipelines.includes(path))]
    if (pipelines.length > 0) lines.push(`${pipelines.length} pipelines`)
    return lines.map((line) => `- ${modeNames[mode]}, ${name}: ${line}`)
  })
}

/** The tables of the page, from the results of the runs and the stated limits of the profile. */
export function realServerParts(checked, limits) {
  const rows = limits.map(({ operation, at, reason }) => [code(operation), code(at), reason])
  return {
    runs: runTable(checked),
    deviations: deviations(checked),
    unchecked: unchecked(checked),
    left: left(checked).join('\n'),
    limits: table(['Operation', 'Where', 'Reason'], rows),
  }
}
