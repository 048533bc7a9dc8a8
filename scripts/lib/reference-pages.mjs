// Generates the pages of docs/reference from the fixture's schema and the sources of the options.
import { readFileSync } from 'node:fs'

/** A table of Markdown. */
export function table(head, rows) {
  const cell = (value) => {
    const text = String(value ?? '')
    // Outside of code, it is something that was not found.
    if (/\bundefined\b|\[object /.test(text.replaceAll(/`[^`]*`/g, '')))
      throw new Error(`A table says: ${text}`)
    return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  }
  const row = (cells) => `| ${cells.map(cell).join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
}

const code = (value) => `\`${value}\``

// ── Fixtures ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The page of the fixture format, from its JSON Schema. */
export function fixturePage() {
  const { properties } = JSON.parse(readFileSync('fixtures/fixture.schema.json', 'utf8'))
  const isRecords = ([, { items }]) => items?.properties !== undefined
  const entries = Object.entries(properties)
  const settings = entries.filter((entry) => !isRecords(entry) && entry[0] !== '$schema')
  const sections = entries.filter(isRecords).map(([plural, { items }]) => {
    const rows = Object.entries(items.properties).map(([name, schema]) => [
      `${code(name)}${items.required?.includes(name) ? ' (needed)' : ''}`,
      typeOf(schema),
      schema.default === undefined ? '' : code(JSON.stringify(schema.default)),
      schema.description ?? '',
    ])
    return `## ${code(plural)}\n\n${table(['attribute', 'type', 'default', 'what it is'], rows)}`
  })
  return `# Fixture schema

What a [fixture](../fixtures.md) may hold, as ${code('fixtures/fixture.schema.json')} says it to editors. Where no default is shown, it depends on
the record. A *time* is a datetime such as ${code('2026-01-31 12:00:00')}, or one relative to the clock: ${code('-2d')}, ${code('+20s')}, ${code('now')}. What the API
says of an attribute stands in [the document](../spec/pipeline-orchestration-api.md#resources-and-their-fields).

${table(
  ['name', 'type', 'what it is'],
  settings.map(([name, schema]) => [code(name), typeOf(schema), schema.description ?? '']),
)}

${sections.join('\n\n')}
`
}

/** Describes the type of a schema. */
function typeOf(schema) {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ')
  if (schema.description?.startsWith('A datetime such as')) return 'timestamp'
  if (schema.type === 'array') {
    const inside = typeOf(schema.items ?? {})
    return inside === 'anything' ? 'list' : `list of ${inside}`
  }
  return schema.type ?? 'anything'
}

// ── Options ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The functions with options, and the declarations of these. */
const declared = [
  ['createUnderstudy(options)', 'src/engine/read-options.ts', 'UnderstudyOptions'],
  ['createUnderstudy({ journal })', 'src/engine/journal/journal.ts', 'JournalOptions'],
  ['createUnderstudy({ worlds })', 'src/engine/worlds/worlds.ts', 'WorldsOptions'],
  ['createHandlers(understudy, options)', 'src/handlers/resolver.ts', 'HandlerOptions'],
  [
    'createApp(understudy, options), createListener(understudy, options)',
    'src/server/listener.ts',
    'ListenerOptions',
    ['src/server/listener.ts', 'ObserverOption'],
  ],
  [
    'serve(understudy, options)',
    'src/server/serve.ts',
    'ServeOptions',
    ['src/server/listener.ts', 'ObserverOption'],
  ],
  ['createClient(url, options)', 'src/admin/client/create-client.ts', 'ClientOptions'],
  ['mountPanel(understudy, options)', 'panel/src/mount.tsx', 'PanelOptions'],
  [
    'understudy(options) of the plugin for Vite',
    'src/integrations/vite/index.ts',
    'VitePluginOptions',
    ['src/integrations/vite/use-understudy.ts', 'ServedOptions'],
    'All of `createUnderstudy`, and:',
  ],
  [
    'handlerOptions of a test of vitest',
    'src/integrations/vitest/understudy-fixtures.ts',
    'TestHandlerOptions',
    undefined,
    'Those of `createHandlers` but `world`, and:',
  ],
  ['understudyFixtures(place) for Playwright', 'src/integrations/playwright/index.ts', 'UnderstudyPlace'],
  ['parameters.understudy of a story', 'src/integrations/storybook/index.ts', 'StoryParameters'],
  ['checkTarget(options)', 'contract-tests/runner/options.ts', 'CheckOptions'],
  [
    'verify(options)',
    'contract-tests/verify/verify.ts',
    'VerifyOptions',
    undefined,
    'Those of `checkTarget`, and:',
  ],
]

/** The options of each function, from their comments. */
export function optionsPage() {
  const sections = declared.map(([call, path, name, inherited, before]) => {
    const rows = [...membersOf(path, name), ...(inherited === undefined ? [] : membersOf(...inherited))].map(
      ([option, type, text]) => [code(option), code(type), text],
    )
    const heading = call
      .split(', create')
      .map((part, index) =>
        part.replace(/^[\w.]+(?:\(.*?\))?/, (name) => code(index === 0 ? name : `create${name}`)),
      )
    const parts = [`## ${heading.join(', ')}`, before, table(['option', 'type', 'what it does'], rows)]
    return parts.filter((part) => part !== undefined).join('\n\n')
  })
  return `# Options

What the functions of the package take, in the words of their types. Options of the command: [Command line](command-line.md).

${sections.join('\n\n')}
`
}

/** Name, type and comment of each member of an interface. */
export function membersOf(path, name) {
  const source = readFileSync(path, 'utf8')
  const [, body] = new RegExp(`export interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(source) ?? []
  if (body === undefined) throw new Error(`${path} declares no ${name}.`)
  const silent = [...`\n${body}`.matchAll(/(?<!\*\/)\n {2}(?:readonly )?(\w+)\??: /g)].map(
    ([, member]) => member,
  )
  if (silent.length > 0) throw new Error(`${path} says nothing of ${silent.join(', ')} of ${name}.`)
  const members = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:readonly )?(\w+)\??: ([^\n]+)/g
  return [...body.matchAll(members)].map(([, comment, option, type]) => [
    option,
    type.replace(/^readonly /, ''),
    comment.replaceAll(/\s*\n\s*\* ?/g, ' ').trim(),
  ])
}
