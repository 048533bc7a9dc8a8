// Generates the pages of docs/reference from the code, whole or between marks, and the configuration of nginx
// in docs/scale-out/kubernetes.yaml. With --check, lists outdated files.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { assumptions } from '../dist/assumptions/index.js'
import { runProgram } from '../dist/cli/program.js'
import { rules } from '../dist/contract-tests/index.js'
import { buildDocument } from '../dist/openapi/index.js'
import { nginxConfiguration } from '../lab/lib/nginx-configuration.mjs'
import { adminTables, errorTables, matcherTables } from './lib/reference-code.mjs'
import { fixturePage, optionsPage, table } from './lib/reference-pages.mjs'
import { operationTable } from './lib/reference-quirks.mjs'

function assumptionsPage() {
  const rows = Object.entries(assumptions).map(([id, { section, choice, observed, values }]) => [
    `\`${id}\``,
    section,
    `${choice}${values ? ' ⇄' : ''}`,
    observed ?? 'not probed',
  ])
  return `# Assumptions

Where the document is silent, the understudy chooses; each choice has an id. Those with a switch (⇄) take another value:
\`createUnderstudy({ assumptions: { 'list-count': 'items' } })\`. Observed is what an independent server of this API,
Mage AI 0.9.79, was seen to do.

${table(['id', 'section', 'what the understudy does', 'observed'], rows)}
`
}

function operationsPage() {
  const methods = ['get', 'post', 'put', 'patch', 'delete']
  const rows = Object.entries(buildDocument().paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => {
        const operation = item[method]
        return [
          `\`${operation.operationId}\``,
          `\`${method.toUpperCase()} ${path}\``,
          operation['x-basis'],
          operation['x-section'],
          (operation['x-assumptions'] ?? []).map((id) => `\`${id}\``).join(', '),
        ]
      }),
  )
  return `# Operations

Every path that is answered; the ids are those of the [OpenAPI document](../openapi.md). What is not documented follows from the
conventions of the document, or real clients need it. The last column names the [assumptions](assumptions.md) it rests on.

${table(['id', 'method and path', 'basis', 'section', 'assumptions'], rows)}
`
}

function rulesPage() {
  const rows = rules.map(({ id, section, sentence, claim, source, effects, needs }) => [
    `\`${id}\``,
    section,
    sentence.line,
    claim,
    source,
    effects,
    needs.join(', '),
  ])
  return `# Rules

What \`pipeline-understudy verify\` holds a server against: ${rules.length} rules, each with the line of the
[document](../spec/pipeline-orchestration-api.md) it rests on. \`specified\` rules affect the exit code; \`example\` and \`inferred\` rules do
with \`--strict examples,inferred\`. Results: [Verification report](../verify-report.md).

${table(['id', 'section', 'line', 'claim', 'source', 'effects', 'needs'], rows)}
`
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

async function commandLinePage() {
  /** A command, or those below it. */
  const commandsAt = async (command) => {
    const text = await outputOf(...command, '--help')
    const [, below] = text.split('\nCommands:\n')
    if (below === undefined) return [{ command, text }]
    const names = [...below.matchAll(/^ {2}(\w+)/gm)]
      .map(([, name]) => name)
      .filter((name) => name !== 'help')
    const commands = []
    for (const name of names) commands.push(...(await commandsAt([...command, name])))
    return commands
  }
  const names = (await outputOf('serve', '--broken', 'help')).trim().split('\n')
  const sections = (await commandsAt([])).map(
    ({ command, text }) =>
      `## \`pipeline-understudy ${command.join(' ')}\`\n\n\`\`\`\n${text.trimEnd()}\n\`\`\``,
  )
  return `# Command line

Output of \`--help\` for each command. See also [Run the mock as a server](../server.md) and [Verify a server](../verify.md).

${sections.join('\n\n')}

## Values of \`--broken\`

${names.map((name) => `\`${name}\``).join(', ')}
`
}

/** The ConfigMap of nginx: the documented configuration, with the Services of the replicas as its servers. */
function withNginx(manifest) {
  const [, replicas] = /kind: StatefulSet\n[\s\S]*?\n {2}replicas: (\d+)\n/.exec(manifest)
  const servers = Array.from({ length: Number(replicas) }, (_, index) => `understudy-${index}:6789`)
  const [, configuration] = /^(?:#.*\n)*([\s\S]*)$/.exec(nginxConfiguration(servers))
  const lines = [
    '# docs/scale-out/nginx.conf, with the Services of the replicas as its servers.',
    ...configuration.trimEnd().split('\n'),
  ]
  const indented = lines.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')
  return manifest.replace(/( {2}nginx\.conf: \|\n)[\s\S]*?\n(?=---\n)/, (_, key) => `${key}${indented}\n`)
}

/** Replaces the generated parts of a page, each between its named marks. */
function withParts(text, parts) {
  return Object.entries(parts).reduce((page, [name, part]) => {
    const [begin, end] = [`<!-- ${name}: written by npm run docs -->`, `<!-- end of ${name} -->`]
    const [from, to] = [page.indexOf(begin), page.indexOf(end)]
    if (from === -1 || to < from) throw new Error(`A page lacks the mark ${begin} or ${end}.`)
    return `${page.slice(0, from)}${begin}\n\n${part}\n\n${page.slice(to)}`
  }, text)
}

const specification = 'docs/spec/pipeline-orchestration-api.md'

/** The module with the headings of the specification, each with its line. */
function sectionsModule() {
  const lines = readFileSync(specification, 'utf8').split('\n')
  const entries = lines.flatMap((text, index) => {
    const heading = /^#{2,3} (.+)$/.exec(text)?.[1]
    if (heading === undefined) return []
    return [`  ${/^[A-Za-z]\w*$/.test(heading) ? heading : `'${heading}'`}: ${index + 1},`]
  })
  return `/** The headings of the specification, each with its line. Generated by \`npm run docs\`. */
export const sections = {
${entries.join('\n')}
} as const

/** A heading of the specification. */
export type Section = keyof typeof sections

/** The path of the specification in this package. */
export const documentPath = '${specification}'
`
}

const mark = '<!-- Generated by scripts/update-docs.mjs: `npm run docs`. -->\n\n'
/** The generated files, with a function from the present content to the new one. */
const files = {
  'docs/reference/admin-api.md': async (page) => withParts(page, await adminTables()),
  'docs/reference/assumptions.md': () => mark + assumptionsPage(),
  'docs/reference/command-line.md': async () => mark + (await commandLinePage()),
  'docs/reference/errors.md': (page) => withParts(page, errorTables()),
  'docs/reference/fixture.md': () => mark + fixturePage(),
  'docs/reference/matchers.md': (page) => withParts(page, matcherTables()),
  'docs/reference/operations.md': () => mark + operationsPage(),
  'docs/reference/options.md': () => mark + optionsPage(),
  'docs/reference/quirks.md': (page) => withParts(page, { operations: operationTable() }),
  'docs/reference/rules.md': () => mark + rulesPage(),
  'docs/scale-out/kubernetes.yaml': withNginx,
  'src/shared/sections.ts': sectionsModule,
}

for (const [path, generate] of Object.entries(files)) {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const after = await generate(before)
  if (after === before) continue
  if (process.argv.includes('--check')) {
    console.error(`${path} is stale: run \`npm run docs\`.`)
    process.exitCode = 1
  } else {
    writeFileSync(path, after)
  }
}
