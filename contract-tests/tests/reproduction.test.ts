import { expect, it as itInParts } from 'vitest'
import { createApp } from '../../src/server/create-app.ts'
import { everyNth, wholly } from '../../tests/support/depth.ts'
import { brokenServers } from '../mutants/catalogue.ts'
import { toFaultyVariant } from '../mutants/faulty-variants.ts'
import { terminalReport } from '../reports/index.ts'
import { type Report, summarize } from '../reports/report.ts'
import { unconfirmedNote } from '../runner/add-reproductions.ts'
import type { SentRequest } from '../runner/sent-requests.ts'
import { toSteps, variablesOf } from '../runner/steps.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'
import { verify } from '../verify/verify.ts'
import { listen } from './listen.ts'
import { paste } from './paste.ts'

const it = wholly(itInParts)

/** A mock as a target: correct, or with the defect of a mutant. */
function serve(name?: string) {
  const broken = brokenServers.find((server) => server.name === name)
  const auth = broken?.auth ?? ('login' as const)
  const understudy = createTarget({ auth, ...(broken && { faultyVariant: toFaultyVariant(broken) }) })
  return { understudy, auth, app: createApp(understudy) }
}

/** Verifies a mutant over HTTP, and gives the script of each finding. */
async function scriptsOf(name: string) {
  const { app, auth } = serve(name)
  const url = await listen(app)
  const options = { ...builtIn, allowDestructive: false, sequences: 1, expect: auth }
  const { report } = await verify({ ...options, target: url })
  return { report, url, scripts: scriptsIn(report) }
}

function scriptsIn(report: Report): string[] {
  return summarize(report).groups.map(({ first }) => first.verdict.evidence.reproduction)
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

/** Mutants of every operation; what they need is created by the scripts themselves. */
const names = [
  'no-executors',
  'delete-removes-nothing',
  'tags-ignored',
  'run-without-event-variables',
  'http-404-record',
  'http-401-credentials',
  'limit-ignored',
  'update-replaces-all',
  'configuration-forgotten',
  'refuses-but-deletes',
  'filter-ignored',
  'message-as-object',
  'random-uuid',
  'run-envelope',
  'backfill-of-another',
  'wrong-backfill-interval_type',
]

/** Mutants whose first finding depends on other sequences of the run, so that no script of it is confirmed yet. */
const unconfirmed = ['refuses-but-deletes', 'filter-ignored']

itInParts.each(everyNth(4, names))(
  'writes scripts that show the defect of %s, and nothing on a correct server',
  async (name) => {
    const { scripts, url } = await scriptsOf(name)
    const correct = await listen(serve().app)

    expect(scripts.length).toBeGreaterThan(0)
    expect(scripts[0]?.startsWith(unconfirmedNote)).toBe(unconfirmed.includes(name))
    for (const script of scripts.filter((each) => !each.startsWith(unconfirmedNote))) {
      const [wrong, right] = [await paste(script), await paste(script.replace(url, correct))]

      expect(wrong.err, script).toBe('')
      expect(shownBy(wrong), script).not.toBe(shownBy(right))
      expect(script).not.toMatch(/\*\*\*|contract-key|gavel-and-robe|eyJ/)
    }
  },
)

itInParts.each(everyNth(4, names))(
  'changes no record of somebody else with the scripts of %s',
  async (name) => {
    const { scripts, url } = await scriptsOf(name)
    const { understudy, app } = serve(name)
    for (let index = 1; index <= 50; index++) {
      understudy.model.pipelines.create({ name: `theirs ${index}` })
      understudy.model.backfills.create({ name: `theirs ${index}`, pipeline_uuid: `theirs_${index}` })
      understudy.model.pipeline_schedules.create({
        name: `theirs ${index}`,
        pipeline_uuid: `theirs_${index}`,
      })
    }
    const theirs = () =>
      (['pipelines', 'blocks', 'backfills', 'pipeline_schedules'] as const).map((plural) =>
        understudy.model[plural].all().filter((record) => !JSON.stringify(record).includes('again')),
      )
    const before = JSON.stringify(theirs())
    const other = await listen(app)
    for (const script of scripts) await paste(script.replace(url, other))

    expect(JSON.stringify(theirs())).toBe(before)
    expect(scripts.join('\n')).not.toMatch(/\/(backfills|pipeline_schedules|pipeline_runs)\/\d{1,8}\b/)
  },
)

it('minimizes the script of a deviation that takes several requests', async () => {
  const { scripts } = await scriptsOf('delete-removes-nothing')
  const requests = scripts.map((script) => script.split('# clean up')[0]?.match(/curl -s/g)?.length ?? 0)

  // Signing in, a pipeline, a backfill, its deletion, and the deciding request.
  expect(Math.min(...requests)).toBeLessThanOrEqual(5)
})

it('reports a server with one defect on one screen', async () => {
  for (const name of ['no-executors', 'message-as-object', 'http-404-record']) {
    const { report } = await scriptsOf(name)
    const lines = terminalReport(report).trimEnd().split('\n')

    expect([name, summarize(report).groups.length]).toEqual([name, 1])
    expect(lines.length, lines.join('\n')).toBeLessThanOrEqual(40)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
  }
})

it('says which variable is missing', async () => {
  const { scripts } = await scriptsOf('no-executors')
  const script = scripts[0]?.replace(/UNDERSTUDY_API_KEY/g, 'UNDERSTUDY_NO_KEY') ?? ''

  expect((await paste(script)).err).toContain('UNDERSTUDY_NO_KEY: set it first')
})

const request = (method: string, path: string, made?: SentRequest['made']): SentRequest => {
  return { method, path, credentials: {}, requestBody: undefined, made }
}
const options = { prefix: 'judged1', credentials: undefined }

it('puts variables for the ids of a run, however they are written', () => {
  const steps = toSteps(
    [
      request('POST', '/api/pipelines', { uuid: 'judged1s1_home' }),
      request('POST', '/api/pipelines/judged1s1_hom%65/backfills', { id: 12 }),
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
})
