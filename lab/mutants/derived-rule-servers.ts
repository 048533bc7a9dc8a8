import {
  accepts,
  type BreakableOperation,
  onBody,
  onRecords,
  reaches,
  refuses,
  sets,
} from '../../contract-tests/mutants/changes.ts'
import type { BrokenServer, Json, ParsedReply, Passing } from '../../contract-tests/mutants/define-mutant.ts'
import { type DerivedRuleId, derivedRules } from '../../contract-tests/rules/derived.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { afterRefusal, type BrokenReply, whenReadAgain } from './timestamps.ts'

/** Changes the replies of an operation that are no errors, or those that are. */
function onReply(
  operation: BreakableOperation,
  change: (reply: ParsedReply) => Partial<ParsedReply>,
): BrokenReply {
  return (reply, passing) => (reaches(operation, passing) ? change(reply) : undefined)
}

const isOther = ({ path }: Passing) => path.includes('no_such')
const wrongTypes: Partial<Record<BreakableOperation, Json>> = {
  createBlock: { name: 7 },
  readBlock: { outputs: {} },
  listLogs: { total_block_run_log_count: '1' },
  listOauthAccessTokens: { user_id: '1' },
  createSession: { token: 7 },
  triggerPipeline: { passed_sla: 'no' },
}
const lastAttribute: Partial<Record<BreakableOperation, string>> = {
  createBlock: 'config',
  listLogs: 'pipeline_run_logs',
  createSession: 'token',
  triggerPipeline: 'metrics',
  listOauthAccessTokens: 'user_id',
}
const value: Partial<Record<BreakableOperation, Json>> = {
  createPipeline: { executor_count: 2 },
  readPipeline: { name: 'another' },
  listPipelines: { name: 'another' },
  createBlock: { content: 'another' },
  readBlock: { content: 'another' },
  deleteBlock: { name: 'another' },
  triggerPipeline: { event_variables: { another: 1 } },
  listPipelineSchedules: { name: 'another' },
}

/** Shows other values in reads than were written. */
function showsOtherwise(read: BreakableOperation, values: Json): BrokenReply {
  return sets(read, values)
}

/** Leaves the first requests alone: a target that answers them so could not be judged at all. */
function afterTheLook(change: BrokenReply): BrokenReply {
  let requests = 0
  return (reply, passing) => (++requests > 8 ? change(reply, passing) : undefined)
}

const onlyReads: readonly BreakableOperation[] = ['readPipeline', 'readBlock', 'listBackfills']

/** A reply as if the server had changed a neighbour with a write: from then on its list shows it otherwise. */
function changesNeighbours(
  write: BreakableOperation,
  read: BreakableOperation,
  attribute: string,
): Pick<BrokenServer, 'reply'> {
  let writes = 0
  return {
    reply(reply: ParsedReply, passing: Passing) {
      if (reaches(write, passing)) writes++
      if (writes < 3) return undefined
      return onRecords(read, (record) => ({ ...record, [attribute]: { changed: writes } }))(reply, passing)
    },
  }
}

const run = { id: 4_711, status: 'running' }

/** Some of the records that the verifier makes. */
function isDropped(item: unknown): boolean {
  return (
    isObject(item) && (String(item.uuid).endsWith('_orders') || (Number(item.id) % 2 === 0 && 'name' in item))
  )
}

/** For each aspect how an operation is made wrong in it. */
function serverFor(aspect: string, operation: BreakableOperation): Pick<BrokenServer, 'request' | 'reply'> {
  switch (aspect) {
    case 'status-200':
      return { reply: onReply(operation, () => ({ status: 201 })) }
    case 'envelope':
      return { reply: afterTheLook(onReply(operation, ({ body }) => ({ body: { data: body } }))) }
    case 'attributes':
      return {
        reply: onRecords(operation, (record) => {
          const {
            [lastAttribute[operation] ?? 'executor_type']: _,
            metrics: __,
            token: ___,
            ...rest
          } = record
          return operation === 'listLogs' || operation === 'listOauthAccessTokens'
            ? { ...rest, ...(record.token ? { token: record.token } : {}) }
            : rest
        }),
      }
    case 'types':
      return {
        reply: onRecords(operation, (record) => ({ ...record, ...(wrongTypes[operation] ?? { name: 7 }) })),
      }
    case 'timestamps':
      return {
        reply: onRecords(operation, (record) =>
          JSON.parse(JSON.stringify(record).replaceAll(/(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/g, '$1T$2')),
        ),
      }
    case 'accepted':
      return { reply: refuses(operation) }
    case 'values': {
      const change = sets(operation, value[operation] ?? { name: 'another' })
      return onlyReads.includes(operation) ? whenReadAgain(change) : { reply: change }
    }
    case 'read-back':
      if (operation.startsWith('delete'))
        return { request: (passing) => (reaches(operation, passing) ? { method: 'GET' } : undefined) }
      return {
        reply: showsOtherwise(
          operation.includes('Backfill')
            ? 'listBackfills'
            : operation.includes('Block')
              ? 'readPipeline'
              : 'readPipeline',
          operation.includes('Block') ? { blocks: [{ uuid: 'left', name: 'left' }] } : { name: 'another' },
        ),
      }
    case 'unchanged-neighbours':
      if (operation === 'triggerPipeline')
        return changesNeighbours(operation, 'listPipelineSchedules', 'pipeline_runs_count')
      if (operation.includes('Backfill')) return changesNeighbours(operation, 'listBackfills', 'variables')
      return changesNeighbours(operation, 'readPipeline', 'executor_config')
    case 'refuses':
      return {
        reply: accepts(operation, {
          [singularOf(operation)]:
            operation === 'triggerPipeline'
              ? run
              : { id: 4_711, uuid: 'made_up', name: 'made up', token: 'made-up' },
        }),
      }
    case 'refused-unchanged':
      if (operation === 'deleteBlock') return emptiesWhatItRefusesToDelete()
      return {
        reply:
          operation === 'triggerPipeline'
            ? afterRefusal(operation, 'listPipelineSchedules', (refused) => ({
                pipeline_runs_count: refused,
              }))
            : afterRefusal(operation, 'readPipeline', () => ({ description: 'changed' })),
      }
    case 'triggers':
      return {
        reply: onRecords(operation, (record) =>
          'schedules' in record ? { ...record, schedules: [{ id: 4_711 }] } : record,
        ),
      }
    case 'complete':
      if (operation === 'listOauthAccessTokens')
        return {
          reply: onBody(operation, (body) => ({
            ...body,
            oauth_access_tokens: (body.oauth_access_tokens as Json[]).filter(({ token }) =>
              String(token).startsWith('judge'),
            ),
          })),
        }
      return {
        reply: onBody(operation, (body, { query }) =>
          operation === 'listBackfills' && query.has('pipeline_uuid')
            ? body
            : Object.fromEntries(
                Object.entries(body).map(([key, list]) => [
                  key,
                  Array.isArray(list) ? list.filter((item) => !isDropped(item)) : list,
                ]),
              ),
        ),
      }
    case 'filter':
      if (operation === 'listLogs')
        return {
          request: (passing) =>
            reaches(operation, passing)
              ? { path: `/api/pipelines/standing/logs${passing.search}` }
              : undefined,
        }
      return operation === 'listBackfills'
        ? { request: (passing) => (reaches(operation, passing) ? { path: '/api/backfills' } : undefined) }
        : { request: (passing) => (reaches(operation, passing) ? { path: passing.path } : undefined) }
    case 'paging':
      return {
        request: (passing) =>
          reaches(operation, passing) && passing.query.has('_limit')
            ? { path: `${passing.path}${passing.search.replace(/_limit=\d+/, '_limit=9')}` }
            : undefined,
      }
    case 'next':
      return {
        reply: onBody(operation, (body) => ({
          ...body,
          metadata: { ...(body.metadata as Json), next: true },
        })),
      }
    case 'run-count':
      return {
        reply: onRecords(operation, (record) =>
          'total_run_count' in record ? { ...record, total_run_count: 'none' } : record,
        ),
      }
    default:
      return {
        request: (passing) =>
          reaches(operation, passing) && passing.query.has('api_key') ? { path: passing.path } : undefined,
        reply: letIn(operation),
      }
  }
}

/** Sign-in is left alone while the target is looked at. */
function later(
  operation: string,
  server: Pick<BrokenServer, 'request' | 'reply'>,
): Pick<BrokenServer, 'request' | 'reply'> {
  return operation === 'createSession' && server.reply ? { reply: afterTheLook(server.reply) } : server
}

/** Lets in whoever shows no credential. */
function letIn(operation: BreakableOperation): BrokenReply {
  return accepts(
    operation,
    { let: 'in' },
    ({ headers, query }) => !headers.has('x-api-key') && !query.has('api_key'),
  )
}

/** Empties a block whose deletion it has refused. */
function emptiesWhatItRefusesToDelete(): Pick<BrokenServer, 'reply'> {
  const refused = new Set<string>()
  return {
    reply(reply: ParsedReply, passing: Passing) {
      if (reaches('deleteBlock', passing) && isObject(reply.body) && reply.body.error !== undefined)
        refused.add(passing.path)
      return refused.has(passing.path) ? sets('readBlock', { content: 'emptied' })(reply, passing) : undefined
    },
  }
}

function singularOf(operation: BreakableOperation): string {
  return operation.includes('Backfill')
    ? 'backfill'
    : operation.includes('Block')
      ? 'block'
      : operation.includes('trigger')
        ? 'pipeline_run'
        : operation === 'createSession'
          ? 'session'
          : 'pipeline'
}

/** For each derived rule a server that breaks it. */
export const derivedRuleServers: readonly (BrokenServer & { readonly breaks: DerivedRuleId })[] =
  derivedRules.map(({ id, operation }) => {
    const [prefix, aspect = ''] = id.split('/')
    const other: BrokenReply = (_, passing) =>
      isOther(passing) ? (aspect === 'envelope' ? { body: 'Nothing here.' } : { status: 404 }) : undefined
    return {
      name: id.replace('/', '-'),
      breaks: id,
      // Every operation of a rule is one that a wrong server can reach.
      ...(prefix === 'other-requests'
        ? { reply: other }
        : later(operation, serverFor(aspect, operation as BreakableOperation))),
    }
  })
