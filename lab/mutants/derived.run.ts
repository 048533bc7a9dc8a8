import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { answering } from '../../contract-tests/targets/answering.ts'
import { createTarget } from '../../contract-tests/targets/built-in.ts'
import { createGlob } from '../../src/shared/glob.ts'
import { harmlessVariants, serveVariant } from '../conforming/index.ts'
import type { HarmlessVariant } from '../conforming/variant.ts'
import { type DerivedOutcome, falseFindings, judgeDerived, judgeTarget } from './check-derived.ts'
import { allMutants, drawMutants, drawnMutants, drawnSeed, matrixSize } from './draw.ts'
import type { Mutant } from './mutant.ts'
import { whyUnobserved } from './unobserved.ts'

/** One line of the matrix, as a part hands it to the whole. */
interface MatrixRow extends DerivedOutcome {
  readonly name: string
}

const processes = 2
const { values: flags } = parseArgs({
  options: {
    derived: { type: 'boolean' },
    harmless: { type: 'boolean' },
    draw: { type: 'boolean' },
    seed: { type: 'string' },
    size: { type: 'string', default: String(matrixSize) },
    only: { type: 'string', default: '*' },
    part: { type: 'string' },
    json: { type: 'string' },
    bail: { type: 'boolean', default: false },
  },
})
const fitsName = createGlob(flags.only)
const fits = ({ name }: { readonly name: string }) => fitsName(name)

async function chosen(): Promise<Mutant[]> {
  const seed = Number(flags.seed ?? drawnSeed)
  return (seed === drawnSeed ? drawnMutants() : await drawMutants(seed, Number(flags.size))).filter(fits)
}

/** Judges every nth of what is to be judged, and prints a line of JSON for each. */
async function judgePart(part: number): Promise<void> {
  const tell = (row: MatrixRow) => process.stdout.write(`${JSON.stringify(row)}\n`)
  const isOurs = (_: unknown, index: number) => index % processes === part
  if (flags.derived) {
    for (const { name, start, seenBy } of (await chosen()).filter(isOurs))
      tell({ name, ...(await judgeDerived(start, seenBy, { bail: flags.bail })) })
  }
  if (flags.harmless) {
    for (const variant of harmlessVariants.filter(fits).filter(isOurs)) {
      const target = serveVariant(variant, (options) =>
        answering(createTarget({ auth: 'login', ...options })),
      )
      tell({ name: variant.name, ...(await judgeTarget(target, [], { seed: Number(flags.seed ?? 1) })) })
    }
  }
}

/** Judges everything, in processes side by side. */
async function judgeAll(): Promise<Map<string, MatrixRow>> {
  const rows = new Map<string, MatrixRow>()
  const parts = Array.from({ length: processes }, async (_, part) => {
    const [script = ''] = process.argv.slice(1)
    const child = spawn(process.execPath, [script, ...process.argv.slice(2), '--part', String(part)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const line of createInterface(child.stdout)) {
      // A part writes rows, one a line.
      const row = JSON.parse(line) as MatrixRow
      rows.set(row.name, row)
      if (process.stderr.isTTY) process.stderr.write(`\r${rows.size} judged `)
    }
  })
  await Promise.all(parts)
  return rows
}

const print = (line = '') => process.stdout.write(`${line}\n`)

function table(
  title: string,
  mutants: readonly Mutant[],
  rows: ReadonlyMap<string, MatrixRow>,
  by: (mutant: Mutant) => string,
): void {
  print(`\n| ${title} | killed | survived | refused to judge |\n|---|---|---|---|`)
  for (const key of [...new Set(mutants.map(by))].sort()) {
    const of = (kind: DerivedOutcome['kind']) =>
      mutants.filter((mutant) => by(mutant) === key && rows.get(mutant.name)?.kind === kind).length
    print(`| ${key} | ${of('killed')} | ${of('survived')} | ${of('refused')} |`)
  }
}

function printMatrix(mutants: readonly Mutant[], rows: ReadonlyMap<string, MatrixRow>): void {
  const of = (kind: DerivedOutcome['kind']) => mutants.filter(({ name }) => rows.get(name)?.kind === kind)
  print('| wrong server | line | verdict | rules that caught it |\n|---|---|---|---|')
  for (const { name, sentence } of mutants) {
    const { kind = 'not judged', rules = [], rightly = [], reason = '' } = rows.get(name) ?? {}
    const elsewhere =
      kind === 'killed' && rightly.length === 0 ? ' (only by rules about other operations)' : ''
    print(
      `| ${name} | ${sentence.line} | ${kind}${elsewhere} | ${rules.slice(0, 6).join(', ')}${rules.length > 6 ? ` and ${rules.length - 6} more` : ''}${reason} |`,
    )
  }
  const survivors = of('survived')
  const explained = survivors.filter(({ name }) => whyUnobserved(name) !== undefined)
  print('\nSurvivors that nothing explains:')
  for (const { name, does, sentence } of survivors.filter((mutant) => !explained.includes(mutant)))
    print(
      `- ${name}: ${does}; against ${sentence.section}, line ${sentence.line}: ${sentence.text.slice(0, 160)}`,
    )
  print('\nSurvivors against which nothing can be said:')
  for (const { name } of explained) {
    const { why, reason } = whyUnobserved(name) ?? {}
    print(`- ${name}: ${why}. ${reason}`)
  }
  table('operator', mutants, rows, ({ operator }) => operator)
  table('guard', mutants, rows, ({ guard }) => guard)
  table('operation', mutants, rows, ({ operation }) => operation)
  const killed = of('killed').length
  const share = ((100 * killed) / (mutants.length - explained.length)).toFixed(1)
  print(
    `\n${mutants.length} wrong servers of ${allMutants.length} in the tables: ${killed} killed, ${survivors.length} survived (${explained.length} of them explained), ${of('refused').length} refused to judge: ${share} % of what can be observed.`,
  )
}

function printHarmless(rows: ReadonlyMap<string, MatrixRow>): void {
  const variants = harmlessVariants.filter(fits)
  const findingsOf = (variant: HarmlessVariant): string => {
    const row = rows.get(variant.name)
    if (row === undefined || row.kind === 'refused') return row?.reason ?? 'not judged'
    const falsely = falseFindings(row, variant)
    const told = row.rules.filter((rule) => !falsely.includes(rule)).map((rule) => `${rule} (as it may)`)
    return [...falsely, ...told].join(', ') || 'none'
  }
  print('\n| harmless variant | findings |\n|---|---|')
  for (const variant of variants) print(`| ${variant.name} | ${findingsOf(variant)} |`)
  const wronged = variants.filter((variant) => {
    const row = rows.get(variant.name)
    return row === undefined || row.kind === 'refused' || falseFindings(row, variant).length > 0
  })
  const deciding = variants.filter(({ name }) => (rows.get(name)?.stated.length ?? 1) > 0)
  print(
    `\n${variants.length} harmless variants: ${wronged.length} wrongly accused, ${deciding.length} of them by rules that decide.`,
  )
}

if (flags.part !== undefined) {
  await judgePart(Number(flags.part))
} else if (flags.draw) {
  const seed = Number(flags.seed ?? drawnSeed)
  const mutants = (await drawMutants(seed, Number(flags.size))).map(({ name }) => name)
  writeFileSync('lab/mutants/drawn.json', `${JSON.stringify({ seed, mutants }, undefined, 2)}\n`)
  print(`${mutants.length} wrong servers drawn with seed ${seed}.`)
} else {
  const rows = await judgeAll()
  if (flags.derived) printMatrix(await chosen(), rows)
  if (flags.harmless) printHarmless(rows)
  if (flags.json) writeFileSync(flags.json, JSON.stringify([...rows.values()], undefined, 2))
}
