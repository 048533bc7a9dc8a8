// Generates the tables of docs/reference from the code, each between its marks. With --check, lists outdated files.
import { readFileSync, writeFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { assumptions } from '../dist/assumptions/index.js'
import { runProgram } from '../dist/cli/program.js'
import { rules } from '../dist/contract-tests/index.js'
import { buildDocument } from '../dist/openapi/index.js'
import { code, list, table, withParts } from './lib/markdown.mjs'
import { errorTables, matcherTables, optionSections } from './lib/reference-declarations.mjs'
import { adminTables, fixtureTables } from './lib/reference-schemas.mjs'

function assumptionTable() {
  const rows = Object.entries(assumptions).map(([id, { section, choice, observed, values }]) => [
    code(id),
    section,
    `${choice}${values ? ' ⇄' : ''}`,
    observed ?? 'not probed',
  ])
  return { assumptions: table(['id', 'section', 'choice of the mock', 'observed'], rows) }
}

/** Every path with its operation. */
function operationTable() {
  const rows = Object.entries(buildDocument().paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [
      code(operation.operationId),
      code(`${method.toUpperCase()} ${path}`),
      operation['x-basis'],
      operation['x-section'],
      list(operation['x-assumptions'] ?? []),
    ]),
  )
  return { operations: table(['id', 'method and path', 'basis', 'section', 'assumptions'], rows) }
}

function ruleTable() {
  const rows = rules.map(({ id, section, sentence, claim, source, effects, needs }) => [
    code(id),
    section,
    sentence.line,
    claim,
    source,
    effects,
    needs.join(', '),
  ])
  return { rules: table(['id', 'section', 'line', 'claim', 'source', 'effects', 'needs'], rows) }
}

/** Returns the output of the command. */
async function outputOf(...argv) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  let code
  const exit = (given = 0) => {
    code ??= given
    throw new Error(`It ends with ${code}.`)
  }
  await runProgram(argv, { stdout, stderr, env: {}, exit, on: () => {}, once: () => {}, off: () => {} })
  stdout.end()
  const printed = await textOf(stdout)
  if (code !== undefined && code !== 0) throw new Error(`understudy ${argv.join(' ')} ended with ${code}.`)
  return printed
}

/** Returns a command with its help, or those below it. */
async function commandsAt(...command) {
  const text = await outputOf(...command, '--help')
  const [, below] = text.split('\nCommands:\n')
  if (below === undefined)
    return [`## \`pipeline-understudy ${command.join(' ')}\`\n\n\`\`\`\n${text.trimEnd()}\n\`\`\``]
  const names = [...below.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name).filter((name) => name !== 'help')
  const commands = []
  for (const name of names) commands.push(...(await commandsAt(...command, name)))
  return commands
}

async function commandParts() {
  const variants = (await outputOf('serve', '--broken', 'help')).trim().split('\n')
  return { commands: (await commandsAt()).join('\n\n'), broken: list(variants) }
}

/** The pages with a function for the generated parts of each, by the names of their marks. */
const pages = {
  'admin-api': adminTables,
  assumptions: assumptionTable,
  'command-line': commandParts,
  errors: errorTables,
  fixture: fixtureTables,
  matchers: matcherTables,
  operations: operationTable,
  options: optionSections,
  rules: ruleTable,
}

for (const [name, generate] of Object.entries(pages)) {
  const path = `docs/reference/${name}.md`
  const before = readFileSync(path, 'utf8')
  const after = withParts(before, 'npm run docs', await generate())
  if (after === before) continue
  if (process.argv.includes('--check')) {
    console.error(`${path} is stale: run \`npm run docs\`.`)
    process.exitCode = 1
  } else {
    writeFileSync(path, after)
  }
}
