import { expect, it } from 'vitest'
import { ClientError, type Controls, createClient } from '../src/admin/client/index.ts'
import { toProblem } from '../src/admin/problem.ts'
import {
  createUnderstudy,
  FaultError,
  FixtureError,
  RecordError,
  UnderstudyError,
  type UnderstudyErrorCode,
} from '../src/index.ts'
import { ListenError } from '../src/server/listen.ts'
import { serve } from '../src/server/serve.ts'
import { company } from './support/company.ts'
import { serveMock } from './support/serve-mock.ts'

async function refusalOf(run: () => unknown): Promise<UnderstudyError> {
  try {
    await run()
  } catch (error) {
    expect(error).toBeInstanceOf(UnderstudyError)
    return error as UnderstudyError
  }
  throw new Error('Nothing was refused.')
}

const refused: readonly [string, UnderstudyErrorCode, number, (understudy: Controls) => unknown][] = [
  ['a snapshot that is not there', 'NOT_FOUND', 404, (understudy) => understudy.restore('before')],
  ['a world that is there', 'NAME_TAKEN', 409, (understudy) => twice(() => understudy.worlds.create('w'))],
  ['to delete the main world', 'CONFLICT', 409, ({ worlds }) => worlds.delete('main')],
  ['a broken fixture', 'FIXTURE_BROKEN', 422, (understudy) => understudy.import({ pipelines: 1 } as never)],
  ['a broken record', 'RECORD_INVALID', 422, ({ factories }) => factories.backfill.create({ id: 1 })],
  ['a broken fault', 'FAULT_BROKEN', 422, ({ faults }) => faults.add({})],
  [
    'a broken scenario',
    'SCENARIO_BROKEN',
    422,
    ({ scenarios }) => scenarios.start({ description: 'x', faults: [{}] }),
  ],
  ['to take back nothing', 'CONFLICT', 409, (understudy) => understudy.undo()],
  ['an unknown switch', 'OPTION_INVALID', 422, ({ assumptions }) => assumptions.switch({ x: 'y' } as never)],
  [
    'an unknown trait',
    'ARGUMENT_INVALID',
    422,
    ({ factories }) => factories.user.with('x' as never).create(),
  ],
  ['a run that has ended', 'RUN_ENDED', 422, ({ runs }) => twice(() => runs.finish(2))],
]

async function twice(run: () => unknown): Promise<void> {
  await run()
  await run()
}

it.each(refused)(
  'refuses %s by the same code here and elsewhere: %s, HTTP %i',
  async (_, code, status, run) => {
    const here = await refusalOf(() => run(createUnderstudy({ fixture: company })))
    const { url } = await serveMock()
    const elsewhere = await refusalOf(() => run(createClient(url)))

    expect(here).toMatchObject({ code, message: `[understudy] ${here.detail}` })
    expect(elsewhere).toBeInstanceOf(ClientError)
    expect(elsewhere).toMatchObject({ code, status, detail: here.detail })
  },
)

it('distinguishes an error of the user from a defect by its type', () => {
  expect(toProblem(new Error('[understudy] looks like one of ours'))).toMatchObject({
    status: 500,
    message: 'A defect of pipeline-understudy: [understudy] looks like one of ours',
  })
  expect(toProblem(new UnderstudyError('NOT_FOUND', 'There is none.')).toJSON()).toEqual({
    type: 'about:blank',
    title: 'Not Found',
    status: 404,
    detail: 'There is none.',
    code: 'NOT_FOUND',
  })
})

it('has flaws in every error that is about values', () => {
  const flaw = { path: '$.clock', expected: 'a time', found: '1' }

  expect(new FixtureError(flaw)).toMatchObject({ name: 'FixtureError', flaw, flaws: [flaw] })
  expect(new FaultError(flaw)).toMatchObject({ name: 'FaultError', flaw, flaws: [flaw] })
  expect(new RecordError('Failed to write', [flaw])).toMatchObject({
    name: 'RecordError',
    flaws: [flaw],
    message: '[understudy] Failed to write: $.clock: expected a time; found 1.',
  })
})

it('reports with its code why it cannot listen, with the system error as cause', async () => {
  const { url } = await serveMock()
  const error = await refusalOf(() => serve(createUnderstudy(), { port: Number(new URL(url).port) }))

  expect(error).toBeInstanceOf(ListenError)
  expect(error).toMatchObject({ name: 'ListenError', code: 'PORT_IN_USE', cause: { code: 'EADDRINUSE' } })
})

it.each<[string, UnderstudyErrorCode, () => unknown]>([
  [
    '[understudy] Failed to advance the clock: ',
    'ARGUMENT_INVALID',
    () => createUnderstudy().clock.advance('soon'),
  ],
  [
    'log-lines. Did you mean list-count?',
    'OPTION_INVALID',
    () => createUnderstudy({ assumptions: { 'list-cuont': 'items' } as never }),
  ],
  [
    'logs. Did you mean backfills?',
    'NOT_FOUND',
    () => (createUnderstudy().model as unknown as Record<string, unknown>).bakcfills,
  ],
  [
    'log. Did you mean pipeline?',
    'NOT_FOUND',
    () => (createUnderstudy().factories as unknown as Record<string, unknown>).pipelin,
  ],
  [
    'Did you mean withBlocks?',
    'ARGUMENT_INVALID',
    () =>
      createUnderstudy()
        .factories.pipeline.with('withBlock' as never)
        .create(),
  ],
])('refuses with the message "%s" and the code %s', async (message, code, run) => {
  const error = await refusalOf(run)

  expect(error.code).toBe(code)
  expect(error.message).toContain(message)
})
