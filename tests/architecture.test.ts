import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { expect, it } from 'vitest'
import { switchTable } from '../src/assumptions/switch-table.ts'
import { resources } from '../src/resources/index.ts'
import { circlesAmong } from './support/circles-among.ts'

const root = join(import.meta.dirname, '..')
const source = join(root, 'src')

/** Folders of source code, each with the prefix that its files have below. */
const roots = [
  { folder: 'src', prefix: '' },
  { folder: 'panel/src', prefix: 'panel/' },
  { folder: 'panel/demo', prefix: 'demo/' },
]

interface Import {
  /** The importing file: below `src`, or with the prefix of its root. */
  readonly from: string
  /** The imported file, likewise, or the name of a package; `node:` for every built-in. */
  readonly to: string
  readonly isInternal: boolean
  readonly isType: boolean
}

const pathOf = new Map(
  roots.flatMap(({ folder, prefix }) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path))
      .map((path): [string, string] => [prefix + path.split(sep).join('/'), join(root, folder, path)]),
  ),
)
const files = [...pathOf.keys()]

/** Returns the name of a file by its path. */
function nameOf(path: string): string {
  const below = roots.find(({ folder }) => path.startsWith(join(root, folder) + sep))
  const name =
    below === undefined ? relative(source, path) : below.prefix + relative(join(root, below.folder), path)
  return name.split(sep).join('/')
}

/** Returns the text of a source file. */
function textOf(file: string): string {
  const path = pathOf.get(file)
  if (path === undefined) throw new Error(`${file} is no source file.`)
  return readFileSync(path, 'utf8')
}
const statement = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm
const dynamic = /\bimport\('([^']+)'\)/g

const imports: readonly Import[] = files.flatMap((from) => {
  const text = textOf(from)
  const found = [
    ...[...text.matchAll(statement)].map(([, type, to]) => ({ to: to!, isType: type !== undefined })),
    ...[...text.matchAll(dynamic)].map(([, to]) => ({ to: to!, isType: false })),
  ]
  return found.map(({ to, isType }) => ({ from, isType, ...resolve(from, to) }))
})

function resolve(from: string, to: string): { to: string; isInternal: boolean } {
  if (to.startsWith('.')) {
    return { to: nameOf(join(dirname(pathOf.get(from) ?? ''), to)), isInternal: true }
  }
  if (to.startsWith('node:')) return { to: 'node:', isInternal: false }
  const parts = to.split('/')
  return { to: to.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!, isInternal: false }
}

/** Folders within another one that have import rules of their own. */
const nestedParts = ['admin/client', 'cli/doctor', 'cli/project', 'integrations/[a-z]+']
const partPattern = new RegExp(`^(?:(?:${nestedParts.join('|')})(?=/)|[^/]+)`)

/** The part of `src` that a file belongs to: a folder, or the file itself where it is in none. */
const partOf = (path: string) => partPattern.exec(path)?.[0] ?? path
const show = ({ from, to, isType }: Import) => `${from} imports ${to}${isType ? ' as a type' : ''}`

/** Allowed imports of each part of `src`: other parts, packages, and those of which only types are imported. */
const rules: Readonly<Record<string, { imports: readonly string[]; types?: readonly string[] }>> = {
  assumptions: { imports: ['shared'] },
  shared: { imports: ['zod', 'croner', 'leven'] },
  resources: { imports: ['shared', 'zod'], types: ['assumptions'] },
  factories: { imports: ['resources', 'shared', 'zod', '@msw/data', 'tinyqueue'], types: ['assumptions'] },
  profiles: { imports: ['resources', 'shared', 'zod'], types: ['assumptions'] },
  traffic: { imports: ['files', 'shared', 'node:', 'zod'], types: ['har-format'] },
  engine: {
    imports: [
      'resources',
      'shared',
      'factories',
      'profiles',
      'assumptions',
      'traffic',
      '@noble/hashes',
      'zod',
    ],
  },
  'index.ts': { imports: ['engine', 'factories', 'assumptions', 'shared'], types: ['resources'] },
  fixtures: {
    imports: ['../fixtures/demo.json', '../fixtures/empty.json', 'resources', 'shared'],
    types: ['factories'],
  },
  files: { imports: ['shared', 'node:'] },
  storage: { imports: ['engine', 'shared', 'node:', 'idb-keyval', 'proper-lockfile'] },
  scenarios: { imports: ['fixtures'], types: ['engine', 'factories'] },
  handlers: { imports: ['engine', 'resources', 'shared', 'msw'] },
  import: {
    imports: ['engine', 'factories', 'resources', 'shared', 'traffic', 'node:'],
    types: ['profiles'],
  },
  proxy: { imports: ['server/close-server.ts', 'server/listen.ts', 'shared', 'traffic', 'node:'] },
  server: { imports: ['engine', 'files', 'shared', 'openapi', 'admin', 'express', 'zod', 'node:'] },
  'integrations/vite': {
    imports: [
      'cli/naming.ts',
      'cli/read-fixture.ts',
      'cli/read-scenario.ts',
      'cli/watch-fixture.ts',
      'engine',
      'server',
      'shared',
      'node:',
    ],
    types: ['factories', 'vite'],
  },
  admin: { imports: ['engine', 'factories', 'resources', 'shared', 'zod', 'openapi3-ts'] },
  api: { imports: [], types: ['resources', 'shared', 'zod'] },
  'admin/client': {
    imports: [
      'factories/changes.ts',
      'factories/exact-values.ts',
      'factories/count-records.ts',
      'factories/freeze.ts',
      'factories/select-records.ts',
      'shared',
    ],
    types: ['engine', 'factories', 'resources', 'zod'],
  },
  'integrations/matchers': {
    imports: ['shared', 'traffic', 'vitest'],
    types: ['api', 'engine', 'resources'],
  },
  'integrations/usage': { imports: ['files', 'traffic', 'node:'] },
  'integrations/vitest': {
    imports: [
      'engine',
      'handlers',
      'integrations/matchers',
      'integrations/usage',
      'shared',
      'traffic',
      'msw',
      'vitest',
      'node:',
    ],
  },
  'integrations/playwright': {
    imports: [
      'engine',
      'admin/client',
      'integrations/matchers',
      'integrations/usage',
      'shared',
      'traffic',
      '@playwright/test',
    ],
  },
  'integrations/storybook': { imports: ['engine', 'handlers', 'shared', 'msw'], types: ['factories'] },
  'integrations/jest': { imports: ['files', 'shared', 'sucrase', 'node:'] },
  panel: {
    imports: [
      'admin/client/create-client.ts',
      'shared/built-ins.ts',
      'shared/credentials.ts',
      'shared/words.ts',
      'shared/addresses.ts',
      'shared/http.ts',
      'shared/json.ts',
      'shared/timestamps.ts',
      'shared/urls.ts',
      'shared/values.ts',
      'shared/world-name.ts',
      'traffic/client-lint.ts',
      'traffic/from-journal.ts',
      'preact',
      '@preact/signals',
      'lucide',
      '@dagrejs/dagre',
      'react',
      'storybook',
    ],
    types: ['admin/client', 'engine', 'factories', 'integrations/storybook', 'resources', 'storybook'],
  },
  demo: {
    imports: ['admin', 'admin/client', 'engine', 'panel', 'scenarios', 'storage', 'shared', 'msw', 'zod'],
    types: ['factories'],
  },
  openapi: {
    imports: ['resources', 'shared', 'zod', 'openapi3-ts', 'yaml', 'assumptions'],
    types: ['engine'],
  },
  'cli/project': {
    imports: ['files', 'fixtures', 'shared', 'node:', 'jsonc-parser', 'package-manager-detector'],
  },
  'cli/doctor': {
    imports: [
      'admin/client/create-client.ts',
      'admin/client/transport.ts',
      'engine',
      'factories',
      'files',
      'cli/project',
      'shared',
      'node:',
      'semver',
      'zod',
    ],
    types: ['admin/client'],
  },
  cli: {
    imports: [
      'cli/doctor', 'engine', 'factories', 'files', 'fixtures', 'scenarios', 'openapi', 'profiles', 'cli/project', 'import', 'resources', 'server', 'storage', 'traffic', 'shared', '@commander-js/extra-typings', 'package-manager-detector', 'node:',
      '../contract-tests/verify/index.ts', '../contract-tests/proxy/index.ts', '../contract-tests/reports/report-names.ts', '../contract-tests/mutants/faulty-variants.ts',
    ], // biome-ignore format: a list
  },
}

it('reads the imports of every source file', () => {
  expect(files).toEqual(expect.arrayContaining(['index.ts', 'shared/errors.ts', 'handlers/index.ts']))
  // A change of style that the pattern above does not know would leave the rules below with nothing to check.
  const mentioned = files.reduce(
    (count, file) => count + [...textOf(file).matchAll(/^(?:import\b|.*\bfrom ')/gm)].length,
    0,
  )
  expect(imports.length).toBeGreaterThan(150)
  expect(imports.length).toBeGreaterThan(mentioned * 0.8)
  expect(imports.map(show)).toEqual(
    expect.arrayContaining([
      'resources/backfill/backfill.ts imports resources/backfill/life.ts',
      'factories/select-records.ts imports @msw/data',
      'engine/raw-token.ts imports @noble/hashes',
      'server/listener.ts imports server/site.ts',
      'index.ts imports engine/create-understudy.ts',
    ]),
  )
})

it('has a rule for every part of the source', () => {
  expect([...new Set(files.map(partOf))].filter((part) => rules[part] === undefined)).toEqual([])
})

it('has a line in ARCHITECTURE.md for every folder of the source', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const [section] = text.slice(text.indexOf('\n## Folders\n')).split('\n| file |')
  const listed = [...section!.matchAll(/^\| (`[^|]+\/`) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+\/)`/g)].map(([, folder]) => folder!),
  )
  const folders = [...new Set(files.filter((path) => path.includes('/')).map(partOf))].map((part) =>
    existsSync(join(root, 'src', part)) ? `src/${part}/` : `panel/${part}/`,
  )

  expect(folders.filter((folder) => !listed.some((each) => folder.startsWith(each)))).toEqual([])
  expect(listed.filter((folder) => !existsSync(join(root, folder)))).toEqual([])
})

it('imports in the directions that the architecture allows', () => {
  const wrong = imports.filter(({ from, to, isInternal, isType }) => {
    const { imports: allowed, types = [] } = rules[partOf(from)] ?? { imports: [] }
    const part = isInternal && !to.startsWith('..') ? partOf(to) : to
    if (isInternal && part === partOf(from)) return false
    const isAllowed = allowed.includes(part) || allowed.includes(to)
    return !(isAllowed || (isType && (types.includes(part) || types.includes(to))))
  })

  expect(wrong.map(show)).toEqual([])
})

it('hands out every folder of the source that has an index, but for what the adapters are built of', () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object }
  const exported = JSON.stringify(exports)
  const inside = ['admin', 'resources']
  const folders = files.filter((path) => path === `${partOf(path)}/index.ts`).map(partOf)

  expect(
    folders.filter((part) => !inside.includes(part) && !exported.includes(`./dist/${part}/index.js`)),
  ).toEqual([])
})

it('compares no built-in value with a class of one realm', () => {
  const query =
    /instanceof (?:Promise|Date|Request|Response|Headers|URL|Error|\w*Error\b(?<=(?:Syntax|Type|Range)Error)|\w*Array(?:Buffer)?|Map|Set|RegExp|AbortSignal)\b/
  const found = files.filter((file) => query.test(textOf(file)))

  expect(found).toEqual([])
})

/** Files that parse a JSON text themselves, since nobody else can have written it. */
const parsesOwnText: Readonly<Record<string, string>> = {
  'shared/json.ts': 'the reader itself',
  'admin/client/follow.ts': 'an event of our server',
  'profiles/mage-ai/logs.ts': 'a log that the mock has written',
  'profiles/mage-ai/blocks.ts': 'a record that the mock has written',
  'engine/raw-token.ts': 'a token with a valid signature',
  'openapi/examples.ts': 'an error of the mock',
  'files/find-package.ts': 'the manifest of an installed package',
  'integrations/usage/index.ts': 'what tests of the same run have written',
  'cli/doctor.ts': 'the manifest of this package',
  'cli/read-scenario.ts': 'a fixture of this package',
  'panel/records/fields.ts': 'what the user types',
  'panel/store/recorder.ts': 'code of the user',
}

it('parses foreign JSON only with the reader that limits its depth', () => {
  const parsing = files.filter((file) => textOf(file).includes('JSON.parse('))

  expect(parsing.toSorted()).toEqual(Object.keys(parsesOwnText).toSorted())
})

it.each([
  ['the root entry', 'index.ts', ['@msw/data', '@noble/hashes', 'croner', 'leven', 'tinyqueue', 'zod']],
  ['the assumptions entry', 'assumptions/index.ts', []],
  ['the fixtures entry', 'fixtures/index.ts', []],
  ['the scenarios entry', 'scenarios/index.ts', ['zod']],
  ['the profiles entry', 'profiles/index.ts', ['zod']],
  ['the client entry', 'admin/client/index.ts', ['@msw/data', 'leven']],
  ['the storage of a page', 'storage/indexed-db.ts', ['croner', 'idb-keyval', 'leven', 'tinyqueue', 'zod']],
  ['the matchers entry', 'integrations/matchers/index.ts', ['leven']],
  ['the matchers for jest', 'integrations/matchers/jest.ts', ['leven']],
])('loads through %s neither an adapter nor a peer nor anything of Node', (_, entry, packages) => {
  const reached = new Set([entry])
  const loaded = new Set<string>()
  for (const file of reached) {
    for (const { from, to, isInternal, isType } of imports) {
      if (from !== file || isType) continue
      if (!isInternal) loaded.add(to)
      else if (to.endsWith('.ts')) reached.add(to)
    }
  }

  expect([...loaded].sort()).toEqual(packages)
  expect(
    [...reached].filter((file) => ['handlers', 'server', 'cli', 'openapi', 'admin'].includes(partOf(file))),
  ).toEqual([])
})

/** The files that may write to the disk, each with the reason. */
const diskWriters: Readonly<Record<string, string>> = {
  'src/files/growing-file.ts': 'A HAR file grows while a proxy runs.',
  'src/files/write-file.ts': 'It writes every file of the user.',
  'src/storage/file.ts': 'The state of a server replaces its file in the background.',
  'contract-tests/runner/cleanup-log.ts': 'The cleanup log gets a line before each request.',
}

/** The files that may print, each with the reason. */
const printers: Readonly<Record<string, string>> = {
  'contract-tests/proxy/with-proxy.ts': 'It prints an escaped report at the end of a test run.',
  'src/cli/main.ts': 'It reports a Node that is too old for the rest of the command.',
  'src/cli/output.ts': 'It prints everything of the command, escaped.',
  'src/engine/listeners.ts': 'It reports an error of a listener of the user.',
  'src/engine/state/open-state.ts': 'It warns of a problem of the storage.',
  'src/handlers/note-other-address.ts':
    'It warns of a request that baseUrl excludes, which msw cannot explain.',
  'src/integrations/vite/index.ts': 'It logs through Vite, escaped.',
  'src/integrations/vitest/understudy-fixtures.ts': 'It reports unhandled requests as msw does.',
}

it.each([
  [
    'writes files of the user',
    /\b(?:writeFile|writeFileSync|appendFile|appendFileSync|createWriteStream)\(|\bhandle\.write\(/,
    diskWriters,
  ],
  ['prints', /\b(?:stdout|stderr)\??\.write\b|\bconsole\.\w+\(|\blogger\.\w+\(/, printers],
])('%s only in the listed files', (_, pattern, exceptions) => {
  const found = ['src', 'contract-tests'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.split(sep).join('/')}`)
      .filter((path) => path.endsWith('.ts') && !path.startsWith('contract-tests/tests/'))
      .filter((path) => pattern.test(withoutComments(readFileSync(join(root, path), 'utf8')))),
  )

  expect(found.sort()).toEqual(Object.keys(exceptions).sort())
})

it('names its files in kebab case', () => {
  const named = /^[a-z0-9]+([-.][a-z0-9]+)*\.tsx?$/

  expect(files.filter((file) => !named.test(basename(file)))).toEqual([])
  expect(
    files.map(dirname).filter((folder) => !/^(\.|[a-z]+(-[a-z]+)*)(\/[a-z]+(-[a-z]+)*)*$/.test(folder)),
  ).toEqual([])
})

it('has no circle among its files, types included', () => {
  const targets = new Map(files.map((file) => [file, new Set<string>()]))
  for (const { from, to, isInternal } of imports) if (isInternal) targets.get(from)?.add(to)

  expect(circlesAmong(targets)).toEqual([])
})

it('has no circle among its folders: no arrow runs upward', () => {
  const above = new Map(Object.keys(rules).map((part) => [part, new Set<string>()]))
  for (const { from, to, isInternal } of imports) {
    if (isInternal && !to.startsWith('..') && partOf(from) !== partOf(to))
      above.get(partOf(from))!.add(partOf(to))
  }
  // Folders that import nothing that is left are taken away, one layer after the other.
  for (let layer = 0; layer < Object.keys(rules).length; layer++) {
    const lowest = [...above].filter(([, parts]) => parts.size === 0).map(([part]) => part)
    for (const part of lowest) above.delete(part)
    for (const parts of above.values()) for (const part of lowest) parts.delete(part)
  }

  expect([...above.keys()]).toEqual([])
})

/** The names by which code would know one resource: as texts, as members of a model, and as attributes that refer. */
const namesOfResources = resources.flatMap(({ singular, plural, references = {} }) => {
  const camel = singular.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return [
    new RegExp(`['"\`/](?:${singular}|${plural})['"\`/]`),
    new RegExp(`\\bmodel\\.${plural}\\b|\\bfactories\\.${camel}\\b`),
    ...(singular.includes('_') ? [new RegExp(`\\b(?:${singular}|${plural}|${camel})\\b`)] : []),
    ...Object.keys(references).map((attribute) => new RegExp(`\\b${attribute}\\b`)),
  ]
})
/** Names of the specification that generic code uses for other things: its own logs and users. */
const meantOtherwise = ['oauth_token', 'user_id']

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
}

/** The text of a file without comments, paths of imports and examples. */
function codeOf(file: string): string {
  return (
    withoutComments(textOf(file))
      // No quote is between them: code between an export and a later import remains.
      .replaceAll(/^(?:import|export)\b[^;'"`]*?from '[^']+'$/gm, '')
      .replaceAll(dynamic, '')
      // Examples in messages.
      .replaceAll(/such as [^'`]*/g, '')
  )
}

/** Folders that use only the resource table. */
const genericParts = [
  'engine', 'factories', 'admin', 'openapi', 'cli', 'integrations/matchers', 'handlers', 'storage', 'integrations/vitest',
  'integrations/storybook', 'integrations/playwright',
] // biome-ignore format: a list

it.each(genericParts)('names no resource and no profile in generic code: %s', (part) => {
  const named = files
    .filter((file) => partOf(file) === part)
    .flatMap((file) => {
      const code = codeOf(file)
      return namesOfResources
        .map((pattern) => pattern.exec(code)?.[0])
        .filter((name) => name !== undefined && !meantOtherwise.some((other) => name.includes(other)))
        .map((name) => `${file} names ${name}`)
    })

  expect(named).toEqual([])
  expect(
    files.filter((file) => partOf(file) === part && /\bmage/i.test(codeOf(file))),
    'files that name a profile',
  ).toEqual([])
})

it('reaches a resource from generic code through its controls alone', () => {
  const reached = imports.filter(
    ({ from, to }) => genericParts.includes(partOf(from)) && /^resources\/[^/]+\//.test(to),
  )

  expect(reached.length).toBeGreaterThan(0)
  expect(reached.filter(({ to }) => !/^resources\/[^/]+\/controls\//.test(to)).map(show)).toEqual([])
})

it.each<[string, RegExp, string]>([
  ['the header that names a world', /x-understudy-world['"`: ]/i, 'shared/credentials.ts'],
  ['the header of the OAuth token', /oauth-token['"`: ]/i, 'shared/credentials.ts'],
  ['how many requests a journal keeps', /^\s+1_000,$|journalEntries = /m, 'shared/limits.ts'],
  ['which id follows another', /limits\.countedId/, 'factories/store.ts'],
  ['which methods have no body', /'HEAD'(?!, 'OPTIONS')/, 'shared/http.ts'],
  ["the pattern of a world's name", /\{0,63\}|1 to 64/, 'shared/world-name.ts'],
  ['how a text becomes a word of a shell', /'\\\\''/, 'shared/words.ts'],
  ['how a name is written in camel case', /\.replaceAll\(\/_\(/, 'shared/words.ts'],
  ['how OpenAPI writes a path', /'\{\$1\}'/, 'shared/path-templates.ts'],
  ['where a server has its own pages', /__understudy__/, 'admin/client/transport.ts, shared/addresses.ts'],
  ['which slashes an address ends with', /\\\/\+\$\/, ''/, 'shared/urls.ts'],
  ['which addresses are this machine', /\^127|startsWith\('127/, 'shared/addresses.ts'],
  // A profile reads credentials as its server does.
  ['the header of the API key', /x-api-key['"`: .]/i, 'profiles/mage-ai/profile.ts, shared/credentials.ts'],
  // The types of the API load nothing, and have one of their own.
  ['what an object is', /!== null && !Array\.isArray|&& !Array\.isArray/, 'api/index.ts, shared/values.ts'],
])('defines in one place %s', (_, pattern, place) => {
  // Texts for people, and requests to copy, contain them too.
  const others = /\/notes\.ts$|^assumptions\/|^panel\/requests\/copies\.ts$/
  const found = files.filter((file) => !others.test(file) && pattern.test(codeOf(file)))

  expect(found.toSorted().join(', ')).toBe(place)
})

it('reads every switch', () => {
  const text = files
    .filter((file) => !/^(assumptions|panel)\//.test(file))
    .map(textOf)
    .join('\n')
  const unread = Object.keys(switchTable).filter(
    (id) => !text.includes(`switches['${id}']`) && !new RegExp(`switches\\.${id}\\b`).test(text),
  )

  expect(unread).toEqual([])
})
