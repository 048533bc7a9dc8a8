import type { Statement } from '../../../rules/document.ts'
import type { OperationId } from '../../../rules/operation-id.ts'
import { fittingGuards, type Guard, type GuardName } from '../guards.ts'
import {
  asked,
  bodyWith,
  facts,
  named,
  type Operator,
  onRecords,
  onSuccess,
  refusal,
  type Strike,
  sentence,
  sentRecord,
} from '../mutant.ts'
import { type Ask, type Heard, isErrorReply, isJson, type Json, type Wrong } from '../wrong-server.ts'

type Build = (holds: (heard: Heard) => boolean) => () => Wrong

/** Strikes one operation: what it does to what is stored. */
function strike(
  operation: OperationId,
  aspect: string,
  stated: Statement,
  build: Build,
  guards?: readonly Guard[],
): Strike {
  return {
    operation,
    aspect,
    sentence: stated,
    guards: guards ?? fittingGuards(facts(operation), undefined, ['request']),
    wrong: (holds) => build((heard) => heard.operation === operation && holds(asked(heard))),
  }
}

const few: readonly GuardName[] = [
  'always',
  'fromTheSecond',
  'fromTheFourth',
  'everyThird',
  'afterAnError',
  'overlapping',
  'keyInQuery',
]

const removed = sentence('States and transitions', 'the removed record is returned')
const anyBackfill = sentence('States and transitions', 'the supplied value')
const updateNeedsId = sentence('What the service does', 'An update needs the id')
const createBackfill = sentence('Create backfill', 'a newly created backfill has null')
const newBackfill = sentence('States and transitions', 'pipeline uuid in the path')
const newPipeline = sentence('Create pipeline', 'A new pipeline has empty')
const newRun = sentence('States and transitions', '`event_variables` is set from the request body')
const refusedSentence = sentence('Delete block', 'the deletion is refused')
const deletesBlock = sentence('Delete block', 'deletes a block from a pipeline')
const triggerToken = sentence('Trigger pipeline', 'Unique token of the schedule to trigger')
const triggerSchedule = sentence('Trigger pipeline', 'Schedule the run belongs to')

/** Reads one list of the API as the asking client. */
async function read(ask: Ask, path: string, plural: string): Promise<Json[]> {
  const { body } = await ask({ method: 'GET', path, body: undefined })
  const records = isJson(body) ? body[plural] : undefined
  return Array.isArray(records) ? records.filter(isJson) : []
}

/** The backfills that are neighbours of one: of the same pipeline, or of others. */
async function neighbours(heard: Heard, ask: Ask, isOfSamePipeline: boolean): Promise<Json[]> {
  const all = await read(ask, `/api/backfills${heard.search}`, 'backfills')
  const own = all.find(({ id }) => String(id) === heard.parameters.backfill_id)
  return all.filter(
    (other) => other !== own && (other.pipeline_uuid === own?.pipeline_uuid) === isOfSamePipeline,
  )
}

/** Values that a new record may not begin with. */
function beginsWith(operation: OperationId, stated: Statement, values: Json): Strike[] {
  return Object.entries(values).map(([name, value]) => ({
    operation,
    aspect: name,
    sentence: stated,
    guards: fittingGuards(facts(operation), name),
    wrong: (holds) =>
      onRecords(
        operation,
        (record, situation) => (holds(situation) ? { ...record, [name]: value } : record),
        name,
      ),
  }))
}

const seconds = '2026-01-31 12:00:00'

/** What goes wrong with the lives of records, and with what a write does besides. */
export const stateOperators: readonly Operator[] = [
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
          ? { status: 200, contentType: 'application/json', body: { backfill: inSeconds(own) } }
          : ask()
      }),
      strike('deleteBlock', 'record', deletesBlock, (holds) => () => async (heard, ask) => {
        if (!holds(heard)) return ask()
        const reply = await ask({ method: 'GET', path: heard.path + heard.search })
        if (!isJson(reply.body) || !isJson(reply.body.block)) return ask()
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
    name: 'neighbour-removed',
    does: 'removes another record as well',
    strikes: [
      ...[true, false].map((isSame) =>
        strike(
          'deleteBackfill',
          isSame ? 'of-the-same-pipeline' : 'of-another-pipeline',
          removed,
          (holds) => () => async (heard, ask) => {
            const others = holds(heard) ? await neighbours(heard, ask, isSame) : []
            const reply = await ask()
            if (isErrorReply(reply)) return reply
            for (const { id } of others.slice(-1)) await ask({ path: `/api/backfills/${id}${heard.search}` })
            return reply
          },
          named(...few),
        ),
      ),
      strike(
        'deleteBlock',
        'dependants',
        deletesBlock,
        (holds) => () => async (heard, ask) => {
          const reply = await ask()
          const block = isJson(reply.body) ? reply.body.block : undefined
          if (
            !holds(heard) ||
            isErrorReply(reply) ||
            !isJson(block) ||
            !Array.isArray(block.downstream_blocks)
          )
            return reply
          for (const uuid of block.downstream_blocks) {
            await ask({
              path:
                heard.path.replace(/[^/]+$/, encodeURIComponent(String(uuid))) +
                (heard.search || '?force=True'),
            })
          }
          return reply
        },
        named('always', 'fromTheSecond', 'forced'),
      ),
      strike(
        'deleteBlock',
        'same-block-elsewhere',
        deletesBlock,
        (holds) => () => async (heard, ask) => {
          const pipelines = holds(heard) ? await read(ask, `/api/pipelines${heard.search}`, 'pipelines') : []
          const reply = await ask()
          if (isErrorReply(reply)) return reply
          for (const { uuid } of pipelines) {
            if (uuid !== heard.parameters.pipeline_uuid)
              await ask({ path: `/api/pipelines/${uuid}/blocks/${heard.parameters.block_uuid}?force=True` })
          }
          return reply
        },
        named('always', 'fromTheSecond', 'unforced'),
      ),
    ],
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
          return { ...reply, body: { backfill: inSeconds(own) } }
        },
        named(...few),
      ),
    ],
  },
  {
    name: 'deletion-not-refused',
    does: 'deletes a block that others depend on',
    strikes: [
      strike(
        'deleteBlock',
        'dependants',
        refusedSentence,
        (holds) => () => (heard, ask) => (holds(heard) ? ask({ path: `${heard.path}?force=True` }) : ask()),
      ),
      strike(
        'deleteBlock',
        'only-one-dependant',
        refusedSentence,
        (holds) => () => async (heard, ask) => {
          if (!holds(heard)) return ask()
          const { body } = await ask({ method: 'GET', path: heard.path + heard.search })
          const block = isJson(body) && isJson(body.block) ? body.block : {}
          const isLonely = Array.isArray(block.downstream_blocks) && block.downstream_blocks.length === 1
          return isLonely ? ask({ path: `${heard.path}?force=True` }) : ask()
        },
        named('always', 'fromTheSecond'),
      ),
      strike(
        'deleteBlock',
        'force-false',
        refusedSentence,
        (holds) => () => (heard, ask) =>
          holds(heard) && heard.query.has('force') ? ask({ path: `${heard.path}?force=True` }) : ask(),
        named('always'),
      ),
      strike(
        'deleteBlock',
        'block-type-forces',
        refusedSentence,
        (holds) => () => (heard, ask) =>
          holds(heard) && heard.query.has('block_type') ? ask({ path: `${heard.path}?force=True` }) : ask(),
        named('always'),
      ),
    ],
  },
  {
    name: 'refused-and-done',
    does: 'refuses a request and does it all the same',
    strikes: [
      strike('deleteBlock', 'record', refusedSentence, (holds) => () => async (heard, ask) => {
        const reply = await ask()
        if (holds(heard) && isErrorReply(reply)) await ask({ path: `${heard.path}?force=True` })
        return reply
      }),
      strike(
        'createPipeline',
        'type',
        sentence('Create pipeline', '`type`'),
        (holds) => () => async (heard, ask) => {
          const reply = await ask()
          if (holds(heard) && isErrorReply(reply))
            await ask({ body: bodyWith(heard, { ...sentRecord(heard), type: 'python' }) })
          return reply
        },
        named('always', 'fromTheSecond', 'afterAnError'),
      ),
    ],
  },
  {
    name: 'refuses-without-reason',
    does: 'refuses to delete a block on which none depends',
    strikes: [
      strike(
        'deleteBlock',
        'leaf',
        deletesBlock,
        (holds) => () => async (heard, ask) => {
          if (!holds(heard)) return ask()
          const { body } = await ask({ method: 'GET', path: heard.path + heard.search })
          const block = isJson(body) && isJson(body.block) ? body.block : {}
          const hasUpstream = Array.isArray(block.upstream_blocks) && block.upstream_blocks.length > 0
          return hasUpstream ? refusal('The block has upstream blocks.') : ask()
        },
        named('always', 'fromTheSecond', 'unforced'),
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
    name: 'block-of-any-pipeline',
    does: 'finds a block through a pipeline that it is not in',
    strikes: (['readBlock', 'deleteBlock'] as const).map((operation) =>
      strike(
        operation,
        'pipeline_uuid',
        facts(operation).stated,
        (holds) => () => {
          const homes = new Map<string, string>()
          return async (heard, ask) => {
            const reply = await ask()
            const { pipeline_uuid: pipeline = '', block_uuid: block = '' } = heard.parameters
            if (heard.operation === 'readBlock' && !isErrorReply(reply)) homes.set(block, pipeline)
            const home = homes.get(block)
            if (
              !holds(heard) ||
              !isErrorReply(reply) ||
              !isUnknown(reply.body) ||
              home === undefined ||
              home === pipeline
            )
              return reply
            return ask({ path: `/api/pipelines/${home}/blocks/${block}${heard.search}` })
          }
        },
        named('always', 'fromTheSecond', 'afterAnError'),
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
        facts(operation).stated,
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
          if (!holds(heard) || !isJson(reply.body) || !isJson(reply.body.pipeline_run)) return reply
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
            if (heard.operation === operation && isJson(reply.body) && !isErrorReply(reply))
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
            if (heard.operation !== operation || !isJson(reply.body) || isErrorReply(reply)) return reply
            const { singular } = facts(operation)
            const record = reply.body[singular]
            if (!isJson(record)) return reply
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
                body: { backfill: { ...inSeconds(own), ...sentRecord(heard) } },
              }
            : ask()
        },
        named('overlapping'),
      ),
    ],
  },
  {
    name: 'created-in-first-pipeline-only',
    does: 'creates a block in the pipeline of its path and not in those it names',
    strikes: [
      strike(
        'createBlock',
        'pipelines',
        sentence('Create block', 'Uuids of the pipelines the block is a member of'),
        (holds) => () => (heard, ask) =>
          holds(heard) && 'pipelines' in sentRecord(heard)
            ? ask({ body: bodyWith(heard, { ...sentRecord(heard), pipelines: [] }) })
            : ask(),
      ),
      strike(
        'createBlock',
        'pipelines-last',
        sentence('Create block', 'Uuids of the pipelines the block is a member of'),
        (holds) => () => (heard, ask) => {
          const { pipelines } = sentRecord(heard)
          return holds(heard) && Array.isArray(pipelines)
            ? ask({ body: bodyWith(heard, { ...sentRecord(heard), pipelines: pipelines.slice(0, 1) }) })
            : ask()
        },
        named('always', 'fromTheSecond'),
      ),
    ],
  },
  {
    name: 'priority-from-one',
    does: 'counts priorities from 1',
    strikes: [
      strike(
        'createBlock',
        'priority',
        sentence('Create block', '`priority`'),
        (holds) => () => (heard, ask) => {
          const { priority } = sentRecord(heard)
          return holds(heard) && typeof priority === 'number' && priority > 0
            ? ask({ body: bodyWith(heard, { ...sentRecord(heard), priority: priority - 1 }) })
            : ask()
        },
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
    name: 'deleted-still-answered',
    does: 'reads a deleted block from memory',
    strikes: [
      strike('readBlock', 'record', deletesBlock, (holds) => () => {
        const read = new Map<string, Json>()
        return async (heard, ask) => {
          const reply = await ask()
          if (heard.operation !== 'readBlock') return reply
          if (!isErrorReply(reply) && isJson(reply.body)) read.set(heard.path, reply.body)
          const old = read.get(heard.path)
          return isErrorReply(reply) && old && holds(heard) ? { ...reply, body: old } : reply
        }
      }),
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
            backfills: (Array.isArray(body.backfills) ? body.backfills.filter(isJson) : []).map(
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

function nearTokens(
  kind: string,
  isNear: (given: string, own: string, all: readonly string[]) => boolean,
): Strike[] {
  return [
    strike(
      'triggerPipeline',
      `token-${kind}`,
      triggerToken,
      (holds) => () => {
        const tokens = new Map<string, string>()
        return async (heard, ask) => {
          const reply = await ask()
          const listed = isJson(reply.body)
            ? (reply.body.pipeline_schedules ?? [reply.body.pipeline_schedule])
            : undefined
          for (const schedule of Array.isArray(listed) ? listed.filter(isJson) : [])
            tokens.set(String(schedule.id), String(schedule.token))
          const { pipeline_schedule_id: id = '', token = '' } = heard.parameters
          const own = tokens.get(id)
          if (
            !holds(heard) ||
            !isErrorReply(reply) ||
            own === undefined ||
            !isNear(token, own, [...tokens.values()])
          )
            return reply
          return ask({ path: `/api/pipeline_schedules/${id}/pipeline_runs/${own}` })
        }
      },
      named('always', 'fromTheSecond', 'fromTheFourth'),
    ),
  ]
}

function isUnknown(body: unknown): boolean {
  return isJson(body) && isJson(body.error) && body.error.code === 404
}

const moments = [
  'start_datetime',
  'end_datetime',
  'created_at',
  'updated_at',
  'started_at',
  'completed_at',
  'failed_at',
]

/** A backfill as a write shows it: with seconds. */
function inSeconds(record: Json): Json {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      moments.includes(name) && typeof value === 'string' ? value.slice(0, 19) : value,
    ]),
  )
}
