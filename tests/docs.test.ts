import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseBaseline } from '../contract-tests/index.ts'
import manifest from '../package.json' with { type: 'json' }
import { assumptions } from '../src/assumptions/index.ts'
import { fillTemplate } from '../src/cli/project/templates.ts'
import { faultKinds } from '../src/engine/faults/fault-kinds.ts'
import { fixtureJsonSchema } from '../src/factories/fixture-schema.ts'
import { createUnderstudy, type Fixture } from '../src/index.ts'
import { resources } from '../src/resources/index.ts'
import { traitsOf } from '../src/resources/traits.ts'
import { scenarios } from '../src/scenarios/index.ts'
import * as limits from '../src/shared/limits.ts'
import { camelCase } from '../src/shared/words.ts'
import { page, pages, samples } from './support/documents.ts'
import { root } from './support/root.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Returns the anchor of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

it('has no dead links', () => {
  const deadLinks = pages.flatMap(({ path, text }) =>
    [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^https?:/.test(target))
      .filter((target) => {
        const [file, anchor] = target.split('#') as [string, string?]
        const found = file === '' ? path : join(dirname(path), file)
        if (!existsSync(join(root, found))) return true
        if (anchor === undefined) return false
        const headings = [...read(found).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!))
        return !headings.includes(anchor)
      })
      .map((target) => `${path}: ${target}`),
  )

  expect(deadLinks).toEqual([])
})

it('reaches every page from the README', () => {
  const reached = new Set(['README.md'])
  for (const path of reached) {
    const text = pages.find((page) => page.path === path)?.text ?? ''
    for (const [, target] of text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g))
      reached.add(join(dirname(path), target!))
  }
  const missed = pages
    .map(({ path }) => path)
    .filter((path) => !path.startsWith('decisions/') && !reached.has(path))

  expect(missed).toEqual([])
})

it('has every page that the README leads to in the sidebar of the site, once', () => {
  const listed = Object.values(JSON.parse(read('docs-site/pages.json')) as Record<string, string[]>).flat()
  const known = pages.map(({ path }) => path).filter((path) => !path.startsWith('decisions/'))

  expect(listed.sort()).toEqual(known.sort())
})

it('has a change log of the present version', () => {
  expect(page('CHANGELOG.md')).toContain(`## [${manifest.version}]`)
})

it('names existing npm scripts', () => {
  const named = pages.flatMap(({ text }) => [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!))

  expect(named.filter((name) => !Object.hasOwn(manifest.scripts, name))).toEqual([])
})

it('shows fixtures that load on whichever page', () => {
  const shown = samples('json').filter(({ text }) => text.includes('fixture.schema.json'))
  const loaded = shown.map(({ path, text }) => {
    createUnderstudy({ fixture: JSON.parse(text) as Fixture })
    return path
  })

  expect(loaded).toEqual(expect.arrayContaining(['docs/signing-in.md', 'docs/vite.md']))
})

it('shows a baseline that can be read', () => {
  const baseline = samples('json').find(({ text }) => text.includes('deviations'))!

  expect(() => parseBaseline(baseline.text, 'baseline.json')).not.toThrow()
})

it('lists every input of the action, with its default', () => {
  const { inputs } = parse(read('action.yml')) as { inputs: Record<string, { default?: string }> }
  const rows = [...page('docs/ci.md').matchAll(/^\| (`[^|]+) \| .* \|(?: `([^`]*)`)? \|$/gm)]
  const listed = rows.flatMap(([, names, value = '']) =>
    [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => [name, value]),
  )
  const known = Object.entries(inputs).map(([name, input]) => [name, input.default ?? ''])

  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(known))
})

it('shows commands with existing flags', () => {
  const known = page('docs/reference/command-line.md')
  const lines = pages.flatMap(({ text }) =>
    [...text.matchAll(/npx pipeline-understudy [^\n`]*/g)].map(([line]) => line),
  )
  const flags = lines.flatMap((line) => [...line.matchAll(/--[a-z-]+/g)].map(([flag]) => flag))

  expect(flags.length).toBeGreaterThan(5)
  expect(flags.filter((flag) => !known.includes(`  ${flag} `))).toEqual([])
})

it('describes every flag of a command on the page of the command', () => {
  const about = {
    init: 'docs/starting.md',
    doctor: 'docs/starting.md',
    serve: 'docs/server.md',
    verify: 'docs/verify.md',
    openapi: 'docs/openapi.md',
    'demo build': 'docs/demo.md',
  }
  const reference = page('docs/reference/command-line.md').split('\n## ')
  const missing = Object.entries(about).flatMap(([command, path]) => {
    const help = reference.find((section) => section.startsWith(`\`pipeline-understudy ${command}\``))!
    return [...help.matchAll(/^ {2}(--[a-z-]+)/gm)]
      .map(([, flag]) => flag!)
      .filter((flag) => !new RegExp(`${flag}(?![a-z-])`).test(page(path)))
      .map((flag) => `${path}: ${flag}`)
  })

  expect(missing).toEqual([])
})

it('gives the same defaults of serve as its help', () => {
  const help = page('docs/reference/command-line.md').replaceAll(/\s+/g, ' ')
  const rows = [...page('docs/server.md').matchAll(/^\| `(--[a-z-]+)[^|]*\|.*\| `(\w[^`]*)` \|$/gm)]
  const wrong = rows
    .map(([, flag, value]) => [flag!, value!])
    .filter(([flag]) => flag !== '--auth') // Its default hangs on the environment.
    .filter(([flag, value]) => !new RegExp(`${flag} [^()]*\\(default: "?${value}"?[,)]`).test(help))

  expect(rows.length).toBeGreaterThan(7)
  expect(wrong).toEqual([])
})

it('names existing files and folders', () => {
  const missing = pages
    .filter(({ path }) => !/^(decisions|docs\/spec)\/|^CHANGELOG/.test(path))
    .flatMap(({ path, text }) =>
      [
        ...text
          .replaceAll(/```[\s\S]*?```/g, '')
          .matchAll(/`((?:src|contract-tests|tests|scripts|lab|fixtures|examples|docs)\/[\w./-]+)`/g),
      ].map(([, named]) => ({ path, named: named! })),
    )
    .filter(({ named }) => !existsSync(join(root, named)))

  expect(missing).toEqual([])
})

it('shows the limits in the references of options and errors', () => {
  const options = page('docs/reference/options.md')
  const rowOf = (option: string) => new RegExp(`^\\| \`${option}\` .*$`, 'm').exec(options)![0]
  const shown = (value: number) => `Default ${value.toLocaleString('en')}`

  expect(rowOf('entries')).toContain(shown(limits.journalEntries))
  expect(rowOf('bytes')).toContain(`Default ${limits.journalBytes / 2 ** 20} MB`)
  expect(rowOf('most')).toContain(shown(limits.worlds))
  expect(page('docs/reference/errors.md')).toContain(
    `A body over ${limits.body / 2 ** 20} MB, or a reply over ${limits.reply / 2 ** 20} MB.`,
  )
})

it('quotes the pytest example exactly', () => {
  const files = ['conftest.py', 'test_runs.py'].map((name) => read(`examples/pytest/${name}`))
  const shown = samples('python').map(({ text }) => files.findIndex((file) => file.startsWith(text)))

  expect(shown).toEqual([0, 1])
})

it('shows the files that init writes for frameworks', () => {
  const options = {
    ...({ code: 'ts', sources: '', mocks: 'mocks', ending: '', jsonAttribute: '', toRoot: '../' } as const),
    unhandled: 'onUnhandledRequest' as const,
  }
  const shown = samples('ts').filter(({ path }) => /nextjs|frameworks/.test(path))

  expect(shown.map(({ text }) => text)).toEqual(
    expect.arrayContaining(
      ['next-instrumentation', 'svelte-hooks', 'nuxt-route'].map((name) => fillTemplate(name, options)),
    ),
  )
})

it('has no sample without a test', () => {
  const known: Record<string, RegExp> = {
    // The declaration compiles in a project that has the package installed.
    ts: /from '(?:pipeline-understudy\/)?vitest'|describeContract|from 'msw\/browser'|declare module|^export async function register|defineEventHandler|\$app\/environment|isDevMode/,
    // MSW 3 is not installed here.
    // The panel needs a page: `tests/support/corner-page.ts` is this sample, in a browser.
    // What a page allows with Trusted Types is `tests/support/strict-page.ts`, under the policy of the page.
    // The setup that collects usage is run by `usage.thorough.test.ts`.
    js: /from 'msw\/experimental'|mountPanel\(|trustedTypes\.createPolicy|collectUsage|'\.\/usage-setup\.js'/,
    // The usage map: contract-tests/tests/used-by.test.ts.
    json: /"\$schema"|"deviations"|"received": \[/,
    yaml: /runs-on|^contract:|^end-to-end:|^services:/,
    // Three run against a server; the others only start what other tests start.
    // None but files of examples.
    jsx: /(?!)/,
    tsx: /(?!)/,
    sh: /^api=|^admin=|~alice|^npx pipeline-understudy |^npm |^docker |^pipeline-understudy serve /,
  }
  // Word by word a file of an example, which `npm run examples` runs.
  const examples = new Set(
    readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.\w+$/.test(path) && !/node_modules|\.storybook$/.test(path))
      .map((path) => read(join('examples', path))),
  )
  const unknown = Object.entries(known).flatMap(([language, pattern]) =>
    samples(language)
      // The tutorial is read from its first line to its last by `tutorial.thorough.test.ts`.
      .filter(({ path }) => path !== 'docs/tutorial.md')
      .filter(({ text }) => !pattern.test(text) && !examples.has(text))
      .map(({ path, text }) => `${path}: ${text}`),
  )

  expect(unknown).toEqual([])
})

/** The samples of a page in JavaScript and TypeScript, and its text without samples. */
function partsOf(text: string) {
  const fence = /```(?:jsx?|tsx?|vue)\n([\s\S]*?)```/g
  return {
    code: [...text.matchAll(fence)].map(([, sample]) => sample!).join('\n'),
    prose: text.replaceAll(fence, ''),
  }
}

it('installs each package that the samples of a page import', () => {
  // They are part of every runtime or framework that the sample is for.
  const present = /^(?:node:|bun:|\$app|\.|pipeline-understudy)/
  const missing = pages
    .filter(({ text }) => /npm install [^`\n]*pipeline-understudy/.test(text))
    .flatMap(({ path, text }) => {
      const { code, prose } = partsOf(text)
      const installed = [...prose.matchAll(/npm install ([^`\n]*)/g)].flatMap(([, names]) =>
        names!.split(' '),
      )
      return [...code.matchAll(/(?:from |import |require\(|testEnvironment: )'([^']+)'/g)]
        .map(([, specifier]) => specifier!)
        .filter((specifier) => !present.test(specifier))
        .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)![0])
        .filter((name) => !installed.includes(name))
        .map((name) => `${path}: ${name}`)
    })

  expect(missing).toEqual([])
})

it('names each file that a sample imports', () => {
  const unnamed = pages
    .filter(({ path }) => /^(?:README|docs\/(?!reference|spec))/.test(path))
    .flatMap(({ path, text }) => {
      const { code, prose } = partsOf(text)
      // Generated files, and those of a new project.
      const known = /^(?:client|sdk)\.gen\.ts$|^app\.config$|^pipelines\.fixture\.json$/
      return [...code.matchAll(/(?:from |import\(|import )'(\.[^']+)'/g)]
        .map(([, specifier]) => specifier!.slice(specifier!.lastIndexOf('/') + 1))
        .filter((name) => !known.test(name) && !prose.includes(name))
        .map((name) => `${path}: ${name}`)
    })

  expect(unnamed).toEqual([])
})

it.each(['runtimes', 'http-clients'])('shows the commands that examples/%s runs', (name) => {
  const { scripts } = JSON.parse(read(`examples/${name}/package.json`)) as { scripts: object }
  const commands = [
    ...page(`docs/${name}.md`).matchAll(/\b((?:deno test|bun test|openapi-typescript|openapi-ts) [^`\n]*)/g),
  ].map(([, command]) => command!)

  expect(commands.length).toBeGreaterThan(1)
  for (const command of commands) expect(Object.values(scripts).join(' && ')).toContain(command)
})

it('lists every assumption', () => {
  const listed = [...page('docs/reference/assumptions.md').matchAll(/^\| `([a-z-]+)` \| [A-Z]/gm)].map(
    ([, id]) => id,
  )

  expect(listed).toEqual(Object.keys(assumptions))
})

it('lists every scenario, by its own sentence', () => {
  const listed = [...page('docs/scenarios.md').matchAll(/^\| `([a-z-]+)` \| ([A-Z].+\.) \|$/gm)].map(
    ([, name, sentence]) => [name, sentence],
  )

  expect(listed).toEqual(Object.entries(scenarios).map(([name, { description }]) => [name, description]))
})

/** Returns the words in backticks on a page. */
const codeOf = (path: string) => new Set([...page(path).matchAll(/`(\w+)[^`]*`/g)].map(([, word]) => word))

it('describes every kind of fault', () => {
  const missing = Object.keys(faultKinds).filter((kind) => !codeOf('docs/faults.md').has(kind))

  expect(missing).toEqual([])
})

it('explains every field of a journal entry', async () => {
  const understudy = createUnderstudy()
  await understudy.fetch('/api/pipelines')
  const [entry] = understudy.journal.entries()
  const missing = Object.keys(entry!).filter((field) => !codeOf('docs/journal.md').has(field))

  expect(missing).toEqual([])
})

it('lists every trait beside its factory', () => {
  const [, rows] = /^\| Factory \| Traits \|\n.+\n((?:\|.+\n)+)/m.exec(page('docs/arranging.md'))!
  const listed = Object.fromEntries(
    rows!
      .trim()
      .split('\n')
      .map((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name!))
      .map(([factory, ...traits]) => [factory, traits.sort()]),
  )
  const known = Object.values(resources)
    .map((resource) => [camelCase(resource.singular), Object.keys(traitsOf(resource)).sort()] as const)
    .filter(([, traits]) => traits.length > 0)

  expect(listed).toEqual(Object.fromEntries(known))
})

/** Returns the paths of attributes that a JSON Schema does not describe. */
function silentIn(schema: JsonSchema, path = ''): string[] {
  const inside = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    ...(property.description ? [] : [`${path}.${name}`]),
    ...silentIn(property, `${path}.${name}`),
  ])
  const others = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]
  return [...inside, ...others.flatMap((other) => silentIn(other, path))]
}

interface JsonSchema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
}

it('describes every attribute in the fixture schema and in the record editor', async () => {
  const described = await createUnderstudy().resources()
  const edited = described.map(({ plural, attributes }) => silentIn({ properties: attributes }, plural))

  expect(silentIn(fixtureJsonSchema())).toEqual([])
  expect(edited.flat()).toEqual([])
})

it('has a fixture schema that is not stale', () => {
  expect(JSON.parse(read('fixtures/fixture.schema.json')), 'run `npm run docs`').toEqual(
    JSON.parse(JSON.stringify(fixtureJsonSchema())),
  )
})

it('has a demo that holds what the documentation promises', () => {
  const { model } = createUnderstudy({ fixture: JSON.parse(read('fixtures/demo.json')) })
  const types = new Set(model.pipelines.findMany().map(({ type }) => type))
  const statuses = new Set(model.backfills.findMany().map(({ status }) => status))
  const tokens = model.oauth_access_tokens.findMany()

  expect([...types].sort()).toEqual(['integration', 'pyspark', 'python', 'streaming'])
  expect(model.blocks.findMany((q) => q.where({ pipeline_uuid: 'daily_revenue' }))).toHaveLength(10)
  expect([...statuses].map(String).sort()).toEqual([
    'cancelled',
    'completed',
    'failed',
    'initial',
    'null',
    'running',
  ])
  expect(new Set(tokens.map(({ user_id }) => user_id))).toEqual(new Set([1, 2]))
  expect(model.pipelines.findFirst((q) => q.where({ uuid: 'kundenübersicht' }))).toBeDefined()
})

it('has a demo whose runs move by themselves', () => {
  const understudy = createUnderstudy({ fixture: JSON.parse(read('fixtures/demo.json')) })
  const running = () => understudy.model.pipeline_runs.findMany((q) => q.where({ status: 'running' })).length
  expect(running()).toBe(5)

  understudy.clock.advance('2m')

  expect(running()).toBe(1)
  expect(understudy.model.backfills.findFirst((q) => q.where({ id: 2 }))?.status).toBe('completed')
  expect(understudy.model.backfills.findFirst((q) => q.where({ id: 5 }))?.status).toBe('completed')
})

it('lists every limit in SECURITY.md, as the code has it', () => {
  const text = read('SECURITY.md')
  const rows = [...text.matchAll(/^\| `(\w+)` \| (\d+) \| .+ \| .+ \|$/gm)].map(([, name, most]) => [
    name,
    Number(most),
  ])

  expect(Object.fromEntries(rows)).toEqual({ ...limits })
})
