/** The mutants of one kind, as `npm run kill-matrix -- --json FILE` counts them. */
interface KindSummary {
  readonly kind: string
  readonly generated: number
  readonly detected: number
  readonly undetectable: number
  readonly survivors: readonly {
    readonly name: string
    readonly line: number
    readonly outcome: string
    readonly detail: string
  }[]
}

/** A conforming server with the rules that failed. */
interface ServerResult {
  readonly name: string
  readonly findings: readonly string[]
}

/** Everything that the page shows. */
export interface Evidence {
  readonly date: string
  readonly seed: number
  readonly versions: readonly string[]
  readonly kinds: readonly KindSummary[]
  readonly conforming: readonly ServerResult[]
  readonly independent: readonly ServerResult[]
  readonly agreement: readonly {
    readonly section: string
    readonly same: number
    readonly different: readonly string[]
  }[]
  /** The mutants that both tools verified; `undefined` if Schemathesis is not installed. */
  readonly compared: readonly ComparedMutant[] | undefined
}

/** The verdicts of both tools about one mutant. */
export interface ComparedMutant {
  readonly kind: string
  readonly name: string
  readonly verify: boolean
  readonly schemathesis: boolean
}

type Cells = readonly (string | number)[]
const table = (...rows: readonly Cells[]) =>
  rows
    .flatMap((cells, index) => [cells, ...(index === 0 ? [cells.map(() => '---')] : [])])
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
const yesNo = (value: boolean) => (value ? 'yes' : 'no')
const clean = (servers: readonly ServerResult[]) =>
  servers.filter(({ findings }) => findings.length === 0).length

/** Reasons of survivors that a client could detect. */
const reasons: Readonly<Record<string, string>> = {
  'never provoked': 'No request of the run shows the difference.',
  'not reported': 'Replies differed, and no rule compares them.',
}

function comparison(compared: Evidence['compared']): string {
  if (!compared)
    return 'Schemathesis was not installed when this page was generated. **No comparison was run.**'
  const count = (key: 'verify' | 'schemathesis') => compared.filter((mutant) => mutant[key]).length
  const rows = compared.map(({ kind, name, verify, schemathesis }) => [
    kind,
    `\`${name}\``,
    yesNo(verify),
    yesNo(schemathesis),
  ])
  return `Both tools tested ${compared.length} of the mutants above. \`verify\` detected ${count('verify')}, Schemathesis ${count('schemathesis')}.

${table(['Kind', 'Mutant', 'verify', 'Schemathesis'], ...rows)}`
}

/** Creates the generated parts of docs/evidence.md. */
export function evidenceParts(evidence: Evidence) {
  const { date, seed, versions, kinds, conforming, independent, agreement, compared } = evidence
  const total = (key: 'generated' | 'detected' | 'undetectable') => sum(kinds.map((kind) => kind[key]))
  const same = sum(agreement.map((row) => row.same))
  const of = same + sum(agreement.map((row) => row.different.length))
  const rowOf = ({ name, findings }: ServerResult) => [name, findings.join(', ') || 'none']
  const accused = conforming.filter(({ findings }) => findings.length > 0)
  const survivors = kinds.flatMap(({ kind, survivors }) =>
    survivors.map(({ name, line, outcome, detail }) => [
      kind,
      `\`${name}\``,
      line,
      (outcome === 'undetectable' ? detail : reasons[outcome]) ?? `${outcome} ${detail}`.trim(),
    ]),
  )
  return {
    run: `Date: ${date}. Seed: ${seed}. Versions: ${versions.join(', ')}.`,
    detected: `\`verify\` detected **${total('detected')} of ${total('generated')}**. Of the others, ${total('undetectable')} differ in nothing that a client can detect.

${table(
  ['Kind', 'Generated', 'Detected', 'Undetectable'],
  ...kinds.map(({ kind, generated, detected, undetectable }) => [kind, generated, detected, undetectable]),
)}`,
    survivors: table(['Kind', 'Mutant', 'Line', 'Reason'], ...survivors),
    conforming: `- ${clean(conforming)} of ${conforming.length} variants of the mock that choose otherwise where the specification is silent: no finding.
- ${clean(independent)} of ${independent.length} other targets: no finding.

${table(['Target', 'Findings'], ...[...independent, ...accused].map(rowOf))}`,
    profile: `With authentication, **${same} of ${of} rules** have the same verdict for the profile as in the baseline of the real server.

${table(['Section of the specification', 'Same verdict', 'Other verdict'], ...agreement.map(({ section, same, different }) => [section, same, different.join(', ')]))}`,
    schemathesis: comparison(compared),
  }
}
