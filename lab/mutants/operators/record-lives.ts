import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { fittingGuards } from '../guards.ts'
import { bodyWith, facts, named, type Operator, pathOf, refusal, sentence, sentRecord } from '../mutant.ts'
import { isErrorReply } from '../wrong-server.ts'
import {
  asWritesShow,
  beginsWith,
  createBackfill,
  deletesBlock,
  few,
  isUnknown,
  neighbours,
  newBackfill,
  newPipeline,
  newRun,
  read,
  removed,
  seconds,
  strike,
  triggerSchedule,
  updateNeedsId,
} from './state-strikes.ts'

/** What goes wrong with how records begin, change and go. */
export const recordOperators: readonly Operator[] = [
  {
    name: 'begins-otherwise',
    does: 'begins a record with another value',
    strikes: [
      ...beginsWith('createBackfill', newBackfill, {
        status: 'initial',
        started_at: seconds,
        completed_at: seconds,
        failed_at: seconds,
      }),
      ...beginsWith('createBackfill', createBackfill, {
        start_datetime: seconds,
        end_datetime: seconds,
        interval_type: 'day',
        interval_units: 1,
      }),
      ...beginsWith('createPipeline', newPipeline, {
        executor_count: 0,
        blocks: null,
        callbacks: {},
        widgets: null,
        conditionals: [{}],
      }),
      ...beginsWith('createPipeline', sentence('Pipeline', '`description`'), { description: '' }),
      ...beginsWith('createPipeline', sentence('Pipeline', '`updated_at`'), {
        updated_at: '2026-01-31 12:00:00.000000+00:00',
      }),
      ...beginsWith('createPipeline', sentence('Pipeline', '`executor_config`'), { executor_config: null }),
      ...beginsWith('createPipeline', sentence('Pipeline', '`data_integration`'), { data_integration: {} }),
      ...beginsWith('triggerPipeline', newRun, { status: 'initial', event_variables: {} }),
    ],
  },
  {
    name: 'change-lost',
    does: 'answers as if it had changed a record, and changes nothing',
    strikes: [
      strike(
        'updateBackfill',
        'record',
        sentence('Update backfill', 'with the updated values'),
        (holds) => () => async (heard, ask) => {
          if (!holds(heard)) return ask()
          const old = (await read(ask, `/api/backfills${heard.search}`, 'backfills')).find(
            ({ id }) => String(id) === heard.parameters.backfill_id,
          )
          const reply = await ask()
          if (!old || isErrorReply(reply)) return reply
          const before = Object.fromEntries(Object.keys(sentRecord(heard)).map((name) => [name, old[name]]))
          await ask({ body: bodyWith(heard, before) })
          return reply
        },
      ),
      strike('deleteBackfill', 'record', removed, (holds) => () => async (heard, ask) => {
        if (!holds(heard)) return ask()
        const own = (await read(ask, `/api/backfills${heard.search}`, 'backfills')).find(
          ({ id }) => String(id) === heard.parameters.backfill_id,
        )
        return own
          ? { status: 200, contentType: 'application/json', body: { backfill: asWritesShow(own) } }
          : ask()
      }),
      strike('deleteBlock', 'record', deletesBlock, (holds) => () => async (heard, ask) => {
        if (!holds(heard)) return ask()
        const reply = await ask({ method: 'GET', path: heard.path + heard.search })
        if (!isObject(reply.body) || !isObject(reply.body.block)) return ask()
        const { content, outputs, ...block } = reply.body.block
        return Array.isArray(block.downstream_blocks) && block.downstream_blocks.length > 0
          ? ask()
          : { ...reply, body: { block } }
      }),
    ],
  },
  {
    name: 'neighbour-changed',
    does: 'changes another record as well',
    strikes: [true, false].flatMap((isSame) =>
      (['status', 'name', 'interval_type', 'variables', 'interval_units'] as const).map((name) =>
        strike(
          'updateBackfill',
          `${name}-of-${isSame ? 'the-same' : 'another'}-pipeline`,
          sentence('Update backfill', 'with the updated values'),
          (holds) => () => async (heard, ask) => {
            const reply = await ask()
            const sent = sentRecord(heard)
            if (!holds(heard) || !(name in sent) || isErrorReply(reply)) return reply
            for (const { id, pipeline_uuid } of await neighbours(heard, ask, isSame)) {
              await ask({
                path: `/api/pipelines/${pipeline_uuid}/backfills/${id}${heard.search}`,
                body: bodyWith(heard, { [name]: sent[name] }),
              })
            }
            return reply
          },
          named('always', 'sentAlone', 'sentWithOthers', 'fromTheFourth', 'sentAgain'),
        ),
      ),
    ),
  },
  {
    name: 'one-removed-for-another',
    does: 'removes the newest record of the pipeline, and returns the one asked for',
    strikes: [
      strike(
        'deleteBackfill',
        'record',
        removed,
        (holds) => () => async (heard, ask) => {
          const all = holds(heard) ? await read(ask, `/api/backfills${heard.search}`, 'backfills') : []
          const own = all.find(({ id }) => String(id) === heard.parameters.backfill_id)
          const newest = all.filter(({ pipeline_uuid }) => pipeline_uuid === own?.pipeline_uuid).at(-1)
          if (!own || !newest || newest === own) return ask()
          const reply = await ask({ path: `/api/backfills/${newest.id}${heard.search}` })
          return { ...reply, body: { backfill: asWritesShow(own) } }
        },
        named(...few),
      ),
    ],
  },
  {
    name: 'unknown-done',
    does: 'answers a request about a record that is not there with a success',
    strikes: (['deleteBackfill', 'updateBackfill', 'deleteBlock', 'readBlock', 'readPipeline'] as const).map(
      (operation) => {
        const stated = {
          deleteBackfill: sentence('States and transitions', 'id exists'),
          updateBackfill: sentence('What the service does', 'An update needs the id'),
          deleteBlock: deletesBlock,
          readBlock: sentence('Read block', 'returns the contents and metadata'),
          readPipeline: sentence('Read pipelines', 'fetches one'),
        }[operation]
        return strike(operation, 'record', stated, (holds) => () => {
          let last: unknown
          return async (heard, ask) => {
            const reply = await ask()
            if (heard.operation !== operation) return reply
            if (!isErrorReply(reply)) last = reply.body
            return holds(heard) && isErrorReply(reply) && isUnknown(reply.body) && last !== undefined
              ? { ...reply, body: last }
              : reply
          }
        })
      },
    ),
  },
  {
    name: 'number-read-by-prefix',
    does: 'reads 12x in a path as 12',
    strikes: (['deleteBackfill', 'updateBackfill', 'triggerPipeline'] as const).map((operation) =>
      strike(
        operation,
        'id',
        { triggerPipeline: triggerSchedule, deleteBackfill: removed, updateBackfill: updateNeedsId }[
          operation
        ],
        (holds) => () => (heard, ask) => {
          const name = operation === 'triggerPipeline' ? 'pipeline_schedule_id' : 'backfill_id'
          const value = heard.parameters[name] ?? ''
          const number = String(Number.parseInt(value, 10))
          return holds(heard) && number !== value && number !== 'NaN'
            ? ask({ path: heard.path.replace(`/${value}`, `/${number}`) + heard.search })
            : ask()
        },
        named('always', 'fromTheSecond'),
      ),
    ),
  },
  {
    name: 'lost-on-second-read',
    does: 'finds a record once',
    strikes: (['readPipeline', 'readBlock'] as const).map((operation) =>
      strike(
        operation,
        'record',
        pathOf(operation),
        (holds) => () => {
          const seen = new Map<string, number>()
          return (heard, ask) => {
            if (heard.operation !== operation) return ask()
            const times = seen.get(heard.path) ?? 0
            seen.set(heard.path, times + 1)
            return times >= 1 && holds(heard) ? refusal('Not found.', 404, 'record_not_found') : ask()
          }
        },
        fittingGuards(facts(operation), undefined, ['request']).filter(
          ({ name }) => name !== 'only-the-first-request',
        ),
      ),
    ),
  },
]
