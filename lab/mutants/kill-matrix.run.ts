import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { faultyServers } from '../../contract-tests/mutants/catalogue.ts'
import { answering } from '../../contract-tests/targets/answering.ts'
import { createTarget } from '../../contract-tests/targets/built-in.ts'
import { createGlob } from '../../src/shared/glob.ts'
import { drawCombinations } from '../conforming/implementation-choices.ts'
import { conformingVariants, serveVariant } from '../conforming/index.ts'
import { drawMutants, type GeneratedMutant } from './draw.ts'
import { kinds } from './operators/index.ts'
import { ruleMutants } from './rule-mutants.ts'
import { whyUndetectable } from './undetectable.ts'
import { falseFindings, type Outcome, verifyMutant, verifyShipped, verifyTarget } from './verify-mutant.ts'

interface Row extends Outcome {
  readonly name: string
}

/** A task of the matrix: something to verify. */
interface Task {
  readonly name: string
  run(): Promise<Outcome>
}

const processes = 2
const { values: flags } = parseArgs({
  options: {
    sample: { type: 'string' },
    conforming: { type: 'boolean', default: false },
    combinations: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '*' },
    json: { type: 'string' },
    bail: { type: 'boolean', default: false },
    part: { type: 'string' },
  },
})
const seed = Number(flags.seed)
const matches = createGlob(flags.only)
const isSelected = ({ name }: { readonly name: string }) => matches(name)
const generated = drawMutants(seed, Number(flags.sample ?? 0)).filter(isSelected)
const variants = [
  ...(flags.conforming ? conformingVariants : []),
  ...drawCombinations(seed, Number(flags.combinations ?? 0)),
].filter(isSelected)
const isNamed = flags.sample === undefined && variants.length === 0
const shipped = isNamed ? faultyServers.filter(isSelected) : []
const ofRules = isNamed
  ? ruleMutants.map((mutant) => ({ ...mutant, name: `${mutant.breaks}: ${mutant.name}` })).filter(isSelected)
  : []

const tasks: readonly Task[] = [
  ...generated.map(({ name, start }) => ({ name, run: () => verifyMutant(start, { bail: flags.bail }) })),
  ...shipped.map((server) => ({
    name: server.name,
    run: () => verifyShipped(server, { bail: flags.bail }),
  })),
  ...ofRules.map(({ name, start }) => ({ name, run: () => verifyMutant(start, { bail: flags.bail }) })),
  ...variants.map((variant) => ({
    name: variant.name,
    run: () =>
      verifyTarget(
        serveVariant(variant, (options) => answering(createTarget({ auth: 'login', ...options }))),
        { seed },
      ),
  })),
]

const print = (line = '') => process.stdout.write(`${line}\n`)

/** Runs every task in parallel processes. */
async function runAll(): Promise<Map<string, Row>> {
  const rows = new Map<string, Row>()
  const parts = Array.from({ length: processes }, async (_, part) => {
    const [script = ''] = process.argv.slice(1)
    const child = spawn(process.execPath, [script, ...process.argv.slice(2), '--part', String(part)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const line of createInterface(child.stdout)) {
      const row: Row = JSON.parse(line)
      rows.set(row.name, row)
      if (process.stderr.isTTY) process.stderr.write(`\r${rows.size} of ${tasks.length} verified `)
    }
  })
  await Promise.all(parts)
  return rows
}

/** Counts the mutants of a kind by their outcome, and describes those that were not detected. */
function summarize(kind: string, rows: ReadonlyMap<string, Row>) {
  const mutants = generated.filter((mutant) => mutant.kind === kind)
  const survivors = mutants.flatMap((mutant) => describe(mutant, rows.get(mutant.name)) ?? [])
  const count = (outcome: string) => survivors.filter((survivor) => survivor.outcome === outcome).length
  return {
    kind,
    generated: mutants.length,
    detected: mutants.length - survivors.length,
    notReported: count('not reported'),
    neverProvoked: count('never provoked'),
    refused: count('refused'),
    undetectable: count('undetectable'),
    survivors,
  }
}

/** Describes a mutant that was not detected. */
function describe({ name, sentence }: GeneratedMutant, row: Row | undefined) {
  const { kind = 'refused', provoked = 0, flaky = [], reason = '' } = row ?? {}
  if (kind === 'detected') return undefined
  const entry = whyUndetectable(name)
  const seen = provoked > 0 ? 'not reported' : 'never provoked'
  const outcome = entry ? 'undetectable' : kind === 'refused' ? 'refused' : seen
  const detail = entry?.reason ?? (flaky.length > 0 ? `flaky: ${flaky.join(', ')}` : reason)
  return { name, line: sentence.line, sentence: sentence.text, outcome, provoked, detail }
}

function printGenerated(rows: ReadonlyMap<string, Row>) {
  const summaries = Object.keys(kinds)
    .map((kind) => summarize(kind, rows))
    .filter((summary) => summary.generated > 0)
  print(
    '| kind | generated | detected | not reported | never provoked | refused | undetectable | examples of survivors |',
  )
  print('|---|---|---|---|---|---|---|---|')
  for (const { survivors, ...counts } of summaries) {
    const gaps = survivors.filter(({ outcome }) => outcome !== 'undetectable').slice(0, 3)
    print(`| ${[...Object.values(counts), gaps.map(({ name }) => name).join(', ')].join(' | ')} |`)
  }
  print()
  for (const { name, line, outcome, provoked, detail } of summaries.flatMap(({ survivors }) => survivors))
    print(`- ${name} (line ${line}): ${outcome}, provoked ${provoked} times. ${detail}`.trimEnd())
  const total = (key: 'detected' | 'undetectable') =>
    summaries.reduce((sum, summary) => sum + summary[key], 0)
  const share = (100 * total('detected')) / (generated.length - total('undetectable'))
  print(
    `\n${total('detected')} of ${generated.length} mutants with seed ${seed} were detected: ${share.toFixed(1)} %.`,
  )
  return summaries
}

function printShipped(rows: ReadonlyMap<string, Row>): void {
  print('| mutant | rule meant to detect it | detected | rules that failed |\n|---|---|---|---|')
  for (const { name, breaks } of [...shipped, ...ofRules]) {
    const { rules = [] } = rows.get(name) ?? {}
    print(`| ${name} | ${breaks} | ${rules.includes(breaks) ? 'yes' : 'NO'} | ${rules.join(', ')} |`)
  }
}

function printConforming(rows: ReadonlyMap<string, Row>) {
  const conforming = variants.map((variant) => {
    const row = rows.get(variant.name)
    const isVerified = row !== undefined && row.kind !== 'refused'
    const findings = isVerified ? falseFindings(row, variant) : [row?.reason ?? 'not verified']
    return { name: variant.name, findings }
  })
  print('| conforming server | false findings |\n|---|---|')
  for (const { name, findings } of conforming) print(`| ${name} | ${findings.join(', ') || 'none'} |`)
  return conforming
}

if (flags.part !== undefined) {
  for (const { name, run } of tasks.filter((_, index) => index % processes === Number(flags.part)))
    process.stdout.write(`${JSON.stringify({ name, ...(await run()) })}\n`)
} else {
  const rows = await runAll()
  if (shipped.length > 0) printShipped(rows)
  const conforming = variants.length > 0 ? printConforming(rows) : []
  const summaries = generated.length > 0 ? printGenerated(rows) : []
  if (flags.json)
    writeFileSync(
      flags.json,
      JSON.stringify({ seed, kinds: summaries, conforming, rows: [...rows.values()] }, undefined, 2),
    )
}
