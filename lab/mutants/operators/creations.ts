import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { fittingGuards } from '../guards.ts'
import { facts, named, type Operator, onRecords, onSuccess, sentence, sentRecord } from '../mutant.ts'
import { isErrorReply } from '../wrong-server.ts'
import {
  anyBackfill,
  asWritesShow,
  beginsWith,
  few,
  nearTokens,
  newBackfill,
  newRun,
  read,
  strike,
  triggerSchedule,
} from './state-strikes.ts'

/** What goes wrong with what is created and triggered. */
export const creationOperators: readonly Operator[] = [
  {
    name: 'created-twice',
    does: 'creates two records at one request',
    strikes: [
      strike('createBackfill', 'record', newBackfill, (holds) => () => async (heard, ask) => {
        if (holds(heard)) await ask()
        return ask()
      }),
      strike(
        'triggerPipeline',
        'record',
        newRun,
        (holds) => () => async (heard, ask) => {
          const reply = await ask()
          if (!holds(heard) || !isObject(reply.body) || !isObject(reply.body.pipeline_run)) return reply
          return { ...reply, body: { pipeline_run: [reply.body.pipeline_run] } }
        },
        named(...few),
      ),
    ],
  },
  {
    name: 'one-for-all',
    does: 'answers a creation with the record created before',
    strikes: (['createBackfill', 'triggerPipeline'] as const).map((operation) =>
      strike(
        operation,
        'record',
        operation === 'createBackfill' ? newBackfill : newRun,
        (holds) => () => {
          const made = new Map<string, Json>()
          return async (heard, ask) => {
            const before = made.get(heard.path)
            if (before && holds(heard)) return { status: 200, contentType: 'application/json', body: before }
            const reply = await ask()
            if (heard.operation === operation && isObject(reply.body) && !isErrorReply(reply))
              made.set(heard.path, reply.body)
            return reply
          }
        },
        named(...few.filter((name) => name !== 'fromTheSecond')),
      ),
    ),
  },
  {
    name: 'same-id-while-overlapping',
    does: 'gives two records that are created at once one id',
    strikes: (['createBackfill', 'triggerPipeline'] as const).map((operation) =>
      strike(
        operation,
        'id',
        operation === 'createBackfill' ? newBackfill : newRun,
        (holds) => () => {
          let last: unknown
          return async (heard, ask) => {
            const reply = await ask()
            if (heard.operation !== operation || !isObject(reply.body) || isErrorReply(reply)) return reply
            const { singular } = facts(operation)
            const record = reply.body[singular]
            if (!isObject(record)) return reply
            const before = last
            last = record.id
            return holds(heard) && before !== undefined
              ? { ...reply, body: { [singular]: { ...record, id: before } } }
              : reply
          }
        },
        named('overlapping', 'fromTheSecond', 'fromTheFourth', 'afterAnError'),
      ),
    ),
  },
  {
    name: 'update-lost-while-overlapping',
    does: 'loses one of two updates that are made at once',
    strikes: [
      strike(
        'updateBackfill',
        'record',
        anyBackfill,
        (holds) => () => async (heard, ask) => {
          if (!holds(heard)) return ask()
          const own = (await read(ask, `/api/backfills${heard.search}`, 'backfills')).find(
            ({ id }) => String(id) === heard.parameters.backfill_id,
          )
          return own
            ? {
                status: 200,
                contentType: 'application/json',
                body: { backfill: { ...asWritesShow(own), ...sentRecord(heard) } },
              }
            : ask()
        },
        named('overlapping'),
      ),
    ],
  },
  {
    name: 'token-read-otherwise',
    does: 'triggers a schedule with a token that is not its own',
    strikes: [
      ...nearTokens('prefix', (given, own) => given.length > 3 && own.startsWith(given)),
      ...nearTokens('longer', (given, own) => given.length > own.length && given.startsWith(own)),
      ...nearTokens('other-case', (given, own) => given !== own && given.toLowerCase() === own.toLowerCase()),
      ...nearTokens('any', () => true),
      ...nearTokens('of-another-schedule', (given, _, all) => all.includes(given)),
      ...nearTokens('with-blanks', (given, own) => decodeURIComponent(given).trim() === own),
    ],
  },
  {
    name: 'run-elsewhere',
    does: 'gives a run to another schedule or pipeline',
    strikes: [
      ...beginsWith('triggerPipeline', triggerSchedule, { pipeline_schedule_id: 1 }),
      {
        operation: 'triggerPipeline',
        aspect: 'pipeline_uuid',
        sentence: sentence('Pipeline run', '`pipeline_uuid`'),
        guards: fittingGuards(facts('triggerPipeline'), 'pipeline_uuid'),
        wrong: (holds) =>
          onRecords('triggerPipeline', (run, situation) =>
            holds(situation) ? { ...run, pipeline_uuid: String(run.pipeline_schedule_id) } : run,
          ),
      },
    ],
  },
  {
    name: 'uncounted',
    does: 'gives null for the number of runs that was asked for',
    strikes: [null, '0', true].map((value) => ({
      operation: 'listBackfills' as const,
      aspect: `total_run_count-${String(value)}`,
      sentence: sentence('Read backfills', 'items carry `total_run_count`'),
      guards: fittingGuards(facts('listBackfills'), 'total_run_count'),
      wrong: (holds) =>
        onSuccess('listBackfills', ({ body }, heard) => ({
          body: {
            ...body,
            backfills: (Array.isArray(body.backfills) ? body.backfills.filter(isObject) : []).map(
              (record, index) =>
                'total_run_count' in record && holds({ heard, record, index, attribute: 'total_run_count' })
                  ? { ...record, total_run_count: value }
                  : record,
            ),
          },
        })),
    })),
  },
]
