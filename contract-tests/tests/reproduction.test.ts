import { expect, it as itInParts } from 'vitest'
import { createApp } from '../../src/server/create-app.ts'
import { firstOf, isThorough, thoroughly, wholly } from '../../tests/support/depth.ts'
import { faultyServers } from '../mutants/catalogue.ts'
import type { FaultyServer } from '../mutants/define-mutant.ts'
import { toFaultyVariant } from '../mutants/faulty-variants.ts'
import { terminalReport } from '../reports/index.ts'
import { type Report, summarize } from '../reports/report.ts'
import { unconfirmedNote, untriedNote } from '../runner/add-reproductions.ts'
import { Secrets } from '../runner/redact.ts'
import { writeReproduction } from '../runner/reproduction.ts'
import type { SentRequest } from '../runner/sent-requests.ts'
import { toSteps, variablesOf } from '../runner/steps.ts'
import { tokenEncodings } from '../runner/token-encodings.ts'
import { builtIn, createTarget, toListener } from '../targets/built-in.ts'
import { verify } from '../verify/verify.ts'
import { listen } from './listen.ts'
import { paste } from './paste.ts'

const it = wholly(itInParts)

/** The mutants with these names. */
function mutantsOf(names: readonly string[]): FaultyServer[] {
  return faultyServers.filter(({ name }) => names.includes(name))
}

/** A mock as a target: correct, or with the defects of mutants. */
function serve(names: readonly string[] = []) {
  const variants = mutantsOf(names).map(toFaultyVariant)
  const understudy = createTarget({
    auth: 'login',
    faultyVariant: {
      name: names.join(' and '),
      breaks: 'the specification',
      request: (sent) => variants.reduce((request, variant) => variant.request?.(request) ?? request, sent),
      reply: (given, sent) =>
        variants.reduce((reply, variant) => variant.reply?.(reply, sent) ?? reply, given),
    },
  })
  return { understudy, app: createApp(understudy) }
}

/**
 * Mutants of several operations; their scripts create the records that they need. Those of a row are one server, with
 * at most eight findings: scripts of further ones are not minimized.
 */
const rows: readonly (readonly string[])[] = [
  ['no-executors'],
  ['delete-removes-nothing'],
  ['http-404-record'],
  [
    'tags-ignored',
    'run-without-event-variables',
    'http-401-credentials',
    'limit-ignored',
    'update-replaces-all',
    'configuration-forgotten',
    'backfill-of-another',
  ],
  ['refuses-but-deletes'],
  ['filter-ignored'],
]

/** The rules by which `npm test` verifies a mutant, to save time; it verifies the others by all rules. */
const areas: Readonly<Record<string, readonly string[]>> = isThorough
  ? {}
  : { 'no-executors': ['create-pipeline/*'], 'delete-removes-nothing': ['delete-backfill/*'] }

interface Verified {
  readonly report: Report
  /** The rule of each finding, and its script. */
  readonly rules: readonly string[]
  readonly scripts: readonly string[]
}

/** The reports about the mutants that were verified already. */
const verified = new Map<string, Promise<Verified>>()

/** Verifies a server with the defects of mutants over HTTP, once for all tests. */
function verifyMutants(...names: readonly string[]): Promise<Verified> {
  const key = names.join()
  const outcome = verified.get(key) ?? verifyServed(names)
  verified.set(key, outcome)
  return outcome
}

async function verifyServed(names: readonly string[]): Promise<Verified> {
  const only = names.flatMap((name) => areas[name] ?? [])
  const target = await listen(serve(names).app)
  const { report } = await verify({
    ...builtIn,
    target,
    allowDestructive: false,
    expect: 'login',
    // Generated sequences are minimized in the thorough run.
    sequences: isThorough ? 1 : 0,
    only,
  })
  const rules = summarize(report).groups.map(({ first }) => first.rule.id)
  return { report, rules, scripts: scriptsIn(report) }
}

function scriptsIn(report: Report): string[] {
  return summarize(report).groups.map(({ first }) => first.evidence.reproduction)
}

/** Serves the defects of mutants beside 50 records of another client of each kind; `foreign` reads these. */
async function serveWithForeign(names: readonly string[]) {
  const { understudy, app } = serve(names)
  for (let index = 1; index <= 50; index++) {
    const foreign = { name: `theirs ${index}`, pipeline_uuid: `theirs_${index}` }
    understudy.model.pipelines.create({ name: foreign.name })
    understudy.model.backfills.create(foreign)
    understudy.model.pipeline_schedules.create(foreign)
  }
  const plurals = ['pipelines', 'blocks', 'backfills', 'pipeline_schedules'] as const
  const foreign = () => {
    const records = plurals.flatMap((plural) => [...understudy.model[plural].all()])
    return records.map((record) => JSON.stringify(record)).filter((text) => !text.includes('again'))
  }
  return { url: await listen(app), foreign }
}

/** The output of a script up to its deciding reply, without names, ids and times. */
function shownBy({ out }: { readonly out: string }): string {
  const [shown = ''] = out.split('\nexpected:')
  return shown
    .replaceAll(/again\d+/g, 'RUN')
    .replaceAll(/"(id|\w+_id)":\d+/g, '$1')
    .replaceAll(/"token":"[^"]*"/g, 'token')
    .replaceAll(/\d(?=[^"]*"[,}\]])/g, '0')
}

itInParts.each(firstOf(2, rows).map((names) => [names] as const))(
  'writes scripts that show the defects of %j, nothing on a correct server, and change no record of another client',
  async (names) => {
    const { scripts, rules, report } = await verifyMutants(...names)
    const [faulty, correct] = [await serveWithForeign(names), await serveWithForeign([])]
    const before = faulty.foreign()

    expect(rules).toEqual(expect.arrayContaining(mutantsOf(names).map(({ breaks }) => breaks)))
    expect(scripts.filter((script) => script.startsWith(unconfirmedNote))).toEqual([])
    for (const script of scripts) {
      const [shown, correctly] = await Promise.all(
        [faulty, correct].map(({ url }) => paste(script.replace(report.target, url))),
      )

      expect(shown?.err, script).toBe('')
      expect(shownBy(shown!), script).not.toBe(shownBy(correctly!))
      expect(Math.max(...script.split('\n').map(({ length }) => length)), script).toBeLessThan(500)
      expect(script).not.toMatch(/\*\*\*|contract-key|gavel-and-robe|eyJ/)
      expect(script).not.toMatch(/\/(backfills|pipeline_schedules|pipeline_runs)\/\d{1,8}\b/)
    }
    expect(faulty.foreign()).toEqual(before)
  },
)

thoroughly(itInParts)('marks the scripts that a run with many findings did not replay', async () => {
  const names = ['no-executors', 'http-404-record', ...(rows[3] ?? []), 'count-as-text', 'created-201']
  const { scripts } = await verifyMutants(...names)

  expect(scripts.length).toBeGreaterThan(8)
  expect(scripts.filter((script) => script.startsWith(untriedNote))).toHaveLength(scripts.length - 8)
})

it('minimizes the script of a deviation that takes several requests', async () => {
  const { scripts } = await verifyMutants('delete-removes-nothing')
  const requests = scripts.map((script) => script.split('# clean up')[0]?.match(/curl -s/g)?.length ?? 0)

  // Signing in, a pipeline, a backfill, its deletion, and the deciding request.
  expect(Math.min(...requests)).toBeLessThanOrEqual(5)
})

itInParts.each(firstOf(1, ['no-executors', 'http-404-record', 'message-as-object'] as const))(
  'reports a server with the single defect %s on one screen',
  async (name) => {
    const { report } = await verifyMutants(name)
    const lines = terminalReport(report).trimEnd().split('\n')

    expect(summarize(report).groups).toHaveLength(1)
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(40)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
  },
)

it('names the missing variable', async () => {
  const { scripts } = await verifyMutants('no-executors')
  const script = scripts[0]?.replace(/UNDERSTUDY_API_KEY/g, 'UNDERSTUDY_NO_KEY') ?? ''

  expect((await paste(script)).err).toContain('UNDERSTUDY_NO_KEY: set it first')
})

const request = (method: string, path: string, made?: SentRequest['made']): SentRequest => {
  return { method, path, credentials: {}, requestBody: undefined, made }
}
const options = { prefix: 'verifyrun1', credentials: undefined }

it('generates the long texts of a script by commands, however long they are', async () => {
  const base = await listen(toListener(async (request) => new Response(`${(await request.text()).length}`)))
  const body = JSON.stringify({ pipeline: { name: 'x'.repeat(150_000), type: 'long '.repeat(40) } })
  const step = { method: 'POST', path: '/api/pipelines', body, credentials: {}, makes: undefined }
  const source = { base, secrets: new Secrets(), signsIn: false, decode: undefined }
  const { script } = writeReproduction(source, [step], { headline: '', expected: '', received: '' })
  const { out, err } = await paste(script)

  expect(err).toBe('')
  expect(out).toContain(`${body.length}\nHTTP 200`)
  expect(script.length).toBeLessThan(1_000)
})

it('replaces the ids of a run by variables, however they are encoded', () => {
  const steps = toSteps(
    [
      request('POST', '/api/pipelines', { uuid: 'verifyrun1s1_home' }),
      request('POST', '/api/pipelines/verifyrun1s1_hom%65/backfills', { id: 12 }),
      request('DELETE', '/api/backfills/1%32'),
    ],
    options,
  )

  expect(steps?.map(variablesOf)).toEqual([[], ['PIPELINE_1'], ['BACKFILL_1']])
})

it('writes no step for a record that the run did not create', () => {
  const foreign = request('DELETE', '/api/pipeline_schedules/19')

  expect(toSteps([foreign, request('GET', '/api/pipelines')], options)).toHaveLength(1)
  expect(toSteps([foreign], options)).toBeUndefined()
  expect(toSteps([request('POST', `/api/pipelines/${'x'.repeat(2_000)}/blocks`)], options)).toHaveLength(1)
})

/** Writes the raw tokens of a mock in an encoding that nobody knows: backwards. */
function withUnknownEncoding({ understudy }: Pick<ReturnType<typeof serve>, 'understudy'>) {
  const backwards = (text: string) => [...text].reverse().join('')
  return toListener(async (request) => {
    const headers = new Headers(request.headers)
    const cookie = headers.get('cookie') ?? ''
    headers.set('cookie', cookie.replace(/(?<=oauth_token=)[^;]*/, backwards))
    const reply = await understudy.fetch(new Request(request, { headers }))
    if (!request.url.endsWith('/api/sessions')) return reply
    const text = await reply.text()
    return new Response(text.replace(/(?<="token":")[^"]*/, backwards), reply)
  })
}

it('sends the raw token in the cookie where its encoding is unknown', async () => {
  const target = await listen(withUnknownEncoding(serve(['no-executors'])))
  const { report } = await verify({
    ...builtIn,
    target,
    scenarios: ['pipelines'],
    only: ['create-pipeline/*'],
  })
  const [script = ''] = scriptsIn(report)
  const shown = await paste(script)

  expect(script).toContain('oauth_token=')
  expect(script).not.toContain('UNDERSTUDY_TOKEN')
  expect([shown.err, shown.out]).toEqual(['', expect.stringContaining('"executor_count":0')])
})

it.each(tokenEncodings)('decodes a token that is encoded: $name', async ({ command, replace, decode }) => {
  const raw = replace(`e30.${Buffer.from('{}').toString('base64url')}.x`, 'secret~token')
  const value = /^value\(\).*$/m.exec((await verifyMutants('no-executors')).scripts[0] ?? '')?.[0]
  const { out } = await paste(`${value}\nprintf '%s' '${raw}' | { ${command}; }`)

  expect(decode(raw)).toBe('secret~token')
  expect(out.trim()).toBe('secret~token')
})
