import type { Json, ParsedReply } from '../../contract-tests/mutants/define-mutant.ts'
import type { OperationId } from '../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import { bodyWith, onRecords, refusal, sentRecord } from './mutant.ts'
import { type HeardRequest, isErrorReply, type Start, type WrongHandler } from './wrong-server.ts'

/** A wrong server that was written from a sentence of the document, without a look at the verifier. */
export interface DocumentServer {
  readonly name: string
  readonly start: Start
}

const stateless =
  (wrong: WrongHandler): Start =>
  () =>
    wrong

/** Changes the record that a write sends. */
const sends = (operation: OperationId, change: (record: Json, heard: HeardRequest) => Json): Start =>
  stateless((heard, ask) =>
    heard.operation === operation && isObject(heard.body)
      ? ask({ body: bodyWith(heard, change(sentRecord(heard), heard)) })
      : ask(),
  )

const recordsIn = ({ body }: ParsedReply, plural: string): Json[] =>
  isObject(body) && Array.isArray(body[plural]) ? (body[plural] as Json[]) : []

/** Lists the backfills in a way of its own, from all that there are. */
const relisted = (choose: (all: Json[], heard: HeardRequest) => Json[], next?: (all: Json[], shown: Json[], heard: HeardRequest) => boolean): Start =>
  stateless(async (heard, ask) => {
    if (heard.operation !== 'listBackfills') return ask()
    const count = heard.query.has('include_run_count') ? '?include_run_count=true' : ''
    const whole = await ask({ path: `/api/backfills${count}` })
    const all = recordsIn(whole, 'backfills')
    const good = await ask()
    if (isErrorReply(good) || !isObject(good.body)) return good
    const shown = choose(all, heard)
    const metadata = { ...(good.body.metadata as Json), ...(next && { next: next(all, shown, heard) }) }
    return { ...good, body: { ...good.body, backfills: shown, metadata } }
  }) // biome-ignore format: one step a line

const numberOf = (heard: HeardRequest, name: string, instead: number) =>
  Number(heard.query.get(name) ?? instead)
const ofPipeline = (all: Json[], { query }: HeardRequest, fits = (uuid: string, wanted: string) => uuid === wanted) => {
  const wanted = query.get('pipeline_uuid')
  return wanted === null ? all : all.filter((record) => fits(String(record.pipeline_uuid), wanted))
} // biome-ignore format: one step a line
const paged = (records: Json[], heard: HeardRequest) => {
  const offset = numberOf(heard, '_offset', 0)
  return records.slice(offset, offset + numberOf(heard, '_limit', 9_999))
}

const blockPath = (pipeline: unknown, block: unknown) => `/api/pipelines/${pipeline}/blocks/${block}`

export const documentServers: readonly DocumentServer[] = [
  {
    name: 'a priority of 0 is none',
    start: sends('createBlock', ({ priority, ...rest }) => (priority ? { ...rest, priority } : rest)),
  },
  {
    name: 'no more than two tags are read',
    start: stateless((heard, ask) => {
      if (heard.operation !== 'listPipelineSchedules') return ask()
      const tags = heard.query.getAll('tag[]').slice(0, 2)
      return ask({ path: `${heard.path}?${tags.map((tag) => `tag[]=${encodeURIComponent(tag)}`).join('&')}` })
    }),
  },
  {
    name: 'empty variables leave the old ones',
    start: sends('updateBackfill', ({ variables, ...rest }) =>
      isObject(variables) && Object.keys(variables).length === 0 ? rest : variables === undefined ? rest : { ...rest, variables },
    ), // biome-ignore format: one condition
  },
  {
    name: 'units sent alone take the type away',
    start: sends('updateBackfill', (record) =>
      'interval_units' in record && !('interval_type' in record) ? { ...record, interval_type: null } : record,
    ), // biome-ignore format: one condition
  },
  {
    name: 'event variables lose keys with a dot',
    start: onRecords('triggerPipeline', (record) => ({
      ...record,
      event_variables: Object.fromEntries(
        Object.entries(record.event_variables as Json).filter(([key]) => !key.includes('.')),
      ),
    })),
  },
  {
    name: 'backfills by the beginning of a uuid',
    start: relisted((all, heard) => paged(ofPipeline(all, heard, (uuid, wanted) => uuid.startsWith(wanted)), heard)),
  }, // biome-ignore format: one call
  {
    name: 'the offset counts before the filter',
    start: relisted((all, heard) => {
      const rest = ofPipeline(all.slice(numberOf(heard, '_offset', 0)), heard)
      return rest.slice(0, numberOf(heard, '_limit', 9_999))
    }),
  },
  {
    name: 'next is worked out of all that there are',
    start: relisted(
      (all, heard) => paged(ofPipeline(all, heard), heard),
      (all, shown, heard) => numberOf(heard, '_offset', 0) + shown.length < all.length,
    ),
  },
  {
    name: 'a wrong password is told from a wrong address',
    start: stateless(async (heard, ask) => {
      const reply = await ask()
      return heard.operation === 'createSession' && isErrorReply(reply) && sentRecord(heard).email === 'judge@example.com'
        ? refusal('The password is wrong.', 401, 'invalid_credentials')
        : reply
    }), // biome-ignore format: one condition
  },
  {
    name: 'a block goes to the first of several pipelines',
    start: sends('createBlock', (record) =>
      Array.isArray(record.pipelines) ? { ...record, pipelines: record.pipelines.slice(0, 1) } : record,
    ),
  },
  {
    name: 'force takes the dependants along',
    start: stateless(async (heard, ask) => {
      if (heard.operation !== 'deleteBlock' || !heard.query.has('force')) return ask()
      const read = await ask({ method: 'GET', path: heard.path })
      const below = isObject(read.body) && isObject(read.body.block) ? read.body.block.downstream_blocks : []
      for (const uuid of Array.isArray(below) ? below : [])
        await ask({ path: `${blockPath(heard.parameters.pipeline_uuid, uuid)}?force=True` })
      return ask()
    }),
  },
  {
    name: 'a block that is deleted is gone from every pipeline',
    start: () => {
      const homes = new Set<string>()
      return async (heard, ask) => {
        const { pipeline_uuid: home = '', block_uuid: uuid = '' } = heard.parameters
        if (heard.operation === 'createBlock') homes.add(home)
        const reply = await ask()
        if (heard.operation === 'deleteBlock' && !isErrorReply(reply))
          for (const other of homes)
            if (other !== home) await ask({ path: `${blockPath(other, uuid)}${heard.search}` })
        return reply
      }
    },
  },
  {
    name: 'the newline at the end of a content is cut off where it is read',
    start: onRecords('readBlock', (record) => ({ ...record, content: String(record.content ?? '').trimEnd() })),
  }, // biome-ignore format: one call
  {
    name: 'no more than one upstream block is kept',
    start: sends('createBlock', (record) =>
      Array.isArray(record.upstream_blocks) ? { ...record, upstream_blocks: record.upstream_blocks.slice(0, 1) } : record,
    ),
  }, // biome-ignore format: one condition
  {
    name: 'the token is read in the first cookie only',
    start: stateless((heard, ask) => {
      const first = (heard.headers.get('cookie') ?? '').split(';')[0] ?? ''
      const headers = new Headers(heard.headers)
      headers.set('cookie', first)
      return ask({ headers })
    }),
  },
  {
    name: 'the status beside an error is missing where a backfill is not there',
    start: stateless(async (heard, ask) => {
      const reply = await ask()
      if (heard.operation !== 'deleteBackfill' || !isErrorReply(reply) || !isObject(reply.body)) return reply
      return { ...reply, body: { error: reply.body.error } }
    }),
  },
  {
    name: 'a schedule that was triggered answers with its first run',
    start: () => {
      const runs = new Map<string, ParsedReply>()
      return async (heard, ask) => {
        if (heard.operation !== 'triggerPipeline') return ask()
        const reply = runs.get(heard.path) ?? (await ask())
        if (!isErrorReply(reply)) runs.set(heard.path, reply)
        return reply
      }
    },
  },
  {
    name: 'the last of February is the first of March',
    start: sends('updateBackfill', (record) =>
      Object.fromEntries(
        Object.entries(record).map(([name, value]) => [
          name,
          typeof value === 'string' && name.endsWith('_datetime') ? value.replace('2024-02-29', '2024-03-01') : value,
        ]),
      ),
    ), // biome-ignore format: one condition
  },
  {
    name: 'cancelled is spelled canceled in lists',
    start: onRecords('listBackfills', (record) => (record.status === 'cancelled' ? { ...record, status: 'canceled' } : record)),
  }, // biome-ignore format: one call
  {
    name: 'force is no use where two blocks depend on one',
    start: stateless(async (heard, ask) => {
      if (heard.operation !== 'deleteBlock' || !heard.query.has('force')) return ask()
      const read = await ask({ method: 'GET', path: heard.path })
      const below = isObject(read.body) && isObject(read.body.block) ? read.body.block.downstream_blocks : []
      return Array.isArray(below) && below.length > 1 ? refusal('Others depend on it.') : ask()
    }),
  },
  {
    name: 'the key in the body is not read with PUT',
    start: stateless((heard, ask) => {
      if (heard.method !== 'PUT' || !isObject(heard.body)) return ask()
      const { api_key: _, ...body } = heard.body
      return ask({ body })
    }),
  },
  {
    name: 'logs after a timestamp, and not on it',
    start: stateless((heard, ask) => {
      const since = heard.query.get('start_timestamp')
      if (heard.operation !== 'listLogs' || since === null) return ask()
      const query = new URLSearchParams(heard.query)
      query.set('start_timestamp', String(Number(since) + 1))
      return ask({ path: `${heard.path}?${query}` })
    }),
  },
  {
    name: 'a backfill of a known name is the one that is there',
    start: () => {
      const made = new Map<string, ParsedReply>()
      return async (heard, ask) => {
        if (heard.operation !== 'createBackfill') return ask()
        const name = `${heard.path} ${String(sentRecord(heard).name)}`
        const reply = made.get(name) ?? (await ask())
        if (!isErrorReply(reply)) made.set(name, reply)
        return reply
      }
    },
  },
  {
    name: 'the key in the query is taken with a blank behind it',
    start: stateless((heard, ask) => {
      const given = heard.query.get('api_key')
      if (given === null || given !== `${given.trim()} `) return ask()
      const query = new URLSearchParams(heard.query)
      query.set('api_key', given.trim())
      return ask({ path: `${heard.path}?${query}` })
    }),
  },
  {
    name: 'what is deleted stays in the second page',
    start: () => {
      const deleted: Json[] = []
      return async (heard, ask) => {
        const reply = await ask()
        if (isErrorReply(reply) || !isObject(reply.body)) return reply
        if (heard.operation === 'deleteBackfill') deleted.push(reply.body.backfill as Json)
        if (heard.operation !== 'listBackfills' || numberOf(heard, '_offset', 0) === 0) return reply
        const wanted = heard.query.get('pipeline_uuid')
        const again = deleted.filter(({ pipeline_uuid }) => wanted === null || pipeline_uuid === wanted)
        const shown = [...recordsIn(reply, 'backfills'), ...again].slice(0, numberOf(heard, '_limit', 9_999))
        return { ...reply, body: { ...reply.body, backfills: shown } }
      }
    },
  },
]
