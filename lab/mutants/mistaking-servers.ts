import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import type { OperationId } from '../../contract-tests/rules/operation-id.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import type { DocumentServer } from './document-servers.ts'
import { bodyWith, onRecords, refusal, sentRecord, without } from './mutant.ts'
import { byTags, ofPipeline } from './operators/filter-strikes.ts'
import { type Ask, type HeardRequest, isErrorReply, type Start, type WrongHandler } from './wrong-server.ts'

const stateless =
  (wrong: WrongHandler): Start =>
  () =>
    wrong

/** Stores another value of an attribute than the one that is sent. */
const stores = (operation: OperationId, attribute: string, change: (value: unknown) => unknown): Start =>
  stateless((heard, ask) => {
    const record = sentRecord(heard)
    if (heard.operation !== operation || !isObject(heard.body) || !(attribute in record)) return ask()
    return ask({ body: bodyWith(heard, { ...record, [attribute]: change(record[attribute]) }) })
  })

/** Changes every value, and every key, of a value. */
const deep = (
  value: unknown,
  change: (inner: unknown) => unknown,
  rename = (key: string): string | undefined => key,
): unknown => {
  if (Array.isArray(value)) return value.map((inner) => deep(inner, change, rename))
  if (!isObject(value)) return change(value)
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      const name = rename(key)
      return name === undefined ? [] : [[name, deep(inner, change, rename)]]
    }),
  )
}
const variables = (change: (inner: unknown) => unknown, rename?: (key: string) => string | undefined) =>
  stores('updateBackfill', 'variables', (value) => deep(value, change, rename))
const texts = (change: (text: string) => unknown) =>
  variables((inner) => (typeof inner === 'string' ? change(inner) : inner))
const same = (value: unknown) => value
const dates = (change: (date: string) => string) =>
  stores('updateBackfill', 'start_datetime', (value) => (typeof value === 'string' ? change(value) : value))

/** How databases compare texts where nobody says otherwise: what is asked for is taken for what is stored. */
const alike: Readonly<Record<string, (own: string, wanted: string) => boolean>> = {
  'blanks behind them': (own, wanted) => own.trimEnd() === wanted.trimEnd(),
  'their accents': (own, wanted) => withoutAccents(own) === withoutAccents(wanted),
  'letters where an underscore stands': (own, wanted) =>
    [...wanted].length === [...own].length &&
    [...wanted].every((letter, at) => letter === '_' || letter === [...own][at]),
}
const withoutAccents = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')

/** Finds the pipeline of a path by what is alike to its uuid, where there is no other of that uuid. */
const findsPipelines =
  (same: (own: string, wanted: string) => boolean): Start =>
  () => {
    const uuids = new Set<string>()
    return async (heard, ask) => {
      const { uuid } = heard.parameters
      const reply = await ask()
      if (heard.operation === 'createPipeline' && isObject(reply.body) && isObject(reply.body.pipeline))
        uuids.add(String(reply.body.pipeline.uuid))
      if (heard.operation !== 'readPipeline' || uuid === undefined || !isErrorReply(reply)) return reply
      const found = [...uuids].find((own) => same(own, uuid))
      return found === undefined ? reply : ask({ path: `/api/pipelines/${found}${heard.search}` })
    }
  }
const always = () => true
const comparingServers = Object.entries(alike).flatMap(([what, same]): DocumentServer[] => [
  { name: `pipelines are filtered by without regard to ${what}`, start: ofPipeline(same).wrong(always) },
  {
    name: `tags are filtered by without regard to ${what}`,
    start: byTags((tags, wanted) => wanted.some((tag) => tags.some((own) => same(own, tag)))).wrong(always),
  },
  { name: `pipelines are found without regard to ${what}`, start: findsPipelines(same) },
])

const crash = (fits: (heard: HeardRequest) => boolean): Start =>
  stateless((heard, ask) =>
    fits(heard) ? { status: 500, contentType: 'text/plain', body: 'syntax error' } : ask(),
  )

const blockOf = ({ parameters }: HeardRequest, uuid: unknown) => `${parameters.pipeline_uuid}/${uuid}`

/** Servers that take one tracked for another, as databases, languages and formats do; written from the document alone. */
export const mistakingServers: readonly DocumentServer[] = [
  ...comparingServers,
  { name: 'floats have 32 bits', start: variables((inner) => (typeof inner === 'number' && !Number.isInteger(inner) ? Math.fround(inner) : inner)) },
  { name: 'texts that look like dates become moments', start: texts((text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? `${text} 00:00:00` : text)) },
  { name: 'moments in texts are written anew', start: texts((text) => text.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)Z$/, '$1 $2 UTC')) },
  { name: 'texts that YAML takes for values are values', start: texts((text) => (/^(?:no|off)$/.test(text) ? false : /^\d+e\d+$/.test(text) ? Number(text) : text)) },
  { name: 'keys become camelCase', start: variables(same, (key) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())) },
  { name: 'keys that begin with a dollar are dropped', start: variables(same, (key) => (key.startsWith('$') ? undefined : key)) },
  { name: 'keys without letters are dropped', start: variables(same, (key) => (key === '' ? undefined : key)) },
  { name: 'a line separator is a newline', start: stores('createBlock', 'content', (content) => String(content).replaceAll('\u2028', '\n')) },
  { name: 'letters that nobody sees are dropped', start: stores('createBackfill', 'name', (name) => String(name).replace(/[\u200b\ufeff]/g, '')) },
  { name: 'dates after 2038 begin again', start: stores('updateBackfill', 'end_datetime', (date) => (typeof date === 'string' && date > '2038-01-19' ? '1970-01-01 00:00:00' : date)) },
  { name: 'dates before 1970 are its beginning', start: dates((date) => (date < '1970' ? '1970-01-01 00:00:00' : date)) },
  { name: 'an hour that the summer time of America skips is the next', start: dates((date) => date.replace('2026-03-08 02:', '2026-03-08 03:')) },
  { name: 'long contents are cut', start: stores('createBlock', 'content', (content) => String(content).slice(0, 65_535)) },
  { name: 'long names are cut', start: stores('createBackfill', 'name', (name) => String(name).slice(0, 255)) },
  { name: 'a uuid named as something of the language is a crash', start: crash(({ path }) => /\/(?:constructor|__proto__)$/.test(path)) },
  { name: 'a quote in a filter is a crash', start: crash(({ query }) => (query.get('pipeline_uuid') ?? '').includes("'")) },
  { name: 'an id of more than 64 bits is a crash', start: crash(({ path }) => /\/\d{20,}$/.test(path)) },
  {
    name: 'a comma parts two tags',
    start: stateless((heard, ask) => {
      if (heard.operation !== 'listPipelineSchedules') return ask()
      const pairs = [...heard.query].flatMap(([name, value]) => value.split(',').map((part) => [name, part]))
      return ask({ path: `${heard.path}?${new URLSearchParams(pairs)}` })
    }),
  },
  {
    name: 'an update that changes nothing is refused',
    start: () => {
      const last = new Map<string, string>()
      return async (heard, ask) => {
        if (heard.operation !== 'updateBackfill') return ask()
        const sent = JSON.stringify(sentRecord(heard))
        if (last.get(heard.path) === sent) return refusal('Nothing has changed.')
        const reply = await ask()
        if (!isErrorReply(reply)) last.set(heard.path, sent)
        return reply
      }
    },
  },
  {
    name: 'a backfill takes the next one of its name with it',
    start: () => {
      const named = new Map<string, string>()
      return async (heard, ask) => {
        const reply = await ask()
        if (isErrorReply(reply) || !isObject(reply.body) || !isObject(reply.body.backfill)) return reply
        const { id, name, pipeline_uuid } = reply.body.backfill
        const key = `${pipeline_uuid}/${name}`
        if (heard.operation === 'createBackfill' && !named.has(key)) named.set(key, String(id))
        const namesake = named.get(key)
        if (heard.operation !== 'deleteBackfill') return reply
        if (namesake !== String(id)) await ask({ path: `/api/backfills/${namesake}` })
        else named.delete(key)
        return reply
      }
    },
  },
  {
    name: 'the name of a deleted block stays taken',
    start: () => {
      const gone = new Set<string>()
      return async (heard, ask) => {
        const uuid = String(sentRecord(heard).name).toLowerCase().replaceAll(' ', '_')
        if (heard.operation === 'createBlock' && gone.has(blockOf(heard, uuid))) return refusal('It is taken.')
        const reply = await ask()
        if (heard.operation === 'deleteBlock' && !isErrorReply(reply)) gone.add(blockOf(heard, heard.parameters.block_uuid))
        return reply
      }
    },
  },
  {
    name: 'a trigger leaves its variables in the schedule',
    start: () => {
      const left = new Map<unknown, unknown>()
      const list = onRecords('listPipelineSchedules', (record) => ({ ...record, variables: left.get(record.id) ?? record.variables }))()
      return async (heard, ask) => {
        const reply = await list(heard, ask)
        const run = isObject(reply.body) ? (reply.body.pipeline_run as Json | undefined) : undefined
        if (heard.operation === 'triggerPipeline' && run) left.set(run.pipeline_schedule_id, run.event_variables)
        return reply
      }
    },
  },
  {
    name: 'a backfill that is being updated is in no list',
    start: () => {
      const busy = new Set<string>()
      const list = onRecords('listBackfills', same)()
      return async (heard, ask) => {
        const id = heard.parameters.backfill_id ?? ''
        if (heard.operation === 'updateBackfill') busy.add(id)
        const reply = await list(heard, ask)
        if (heard.operation === 'updateBackfill') {
          await new Promise((resolve) => setTimeout(resolve, 3))
          busy.delete(id)
        }
        if (heard.operation !== 'listBackfills' || !isObject(reply.body) || isErrorReply(reply)) return reply
        const backfills = (reply.body.backfills as Json[]).filter((record) => !busy.has(String(record.id)))
        return { ...reply, body: { ...without(reply.body, 'backfills'), backfills } }
      }
    },
  },
  { name: 'names of the language are no variables', start: onRecords('triggerPipeline', (run) => ({ ...run, event_variables: isObject(run.event_variables) ? without(without(run.event_variables, 'constructor'), 'hasOwnProperty') : run.event_variables })) },
  { name: 'long names are cut by updates alone', start: stores('updateBackfill', 'name', (name) => String(name).slice(0, 255)) },
  {
    name: 'a backfill that is gone can be changed',
    start: () => {
      const gone = new Map<string, Json>()
      return async (heard, ask) => {
        const id = heard.parameters.backfill_id ?? ''
        const reply = await ask()
        if (heard.operation === 'deleteBackfill' && !isErrorReply(reply)) gone.set(id, reply.body as Json)
        if (heard.operation !== 'updateBackfill' || !gone.has(id)) return reply
        return { ...reply, body: { backfill: { ...(gone.get(id)?.backfill as Json), ...sentRecord(heard) } } }
      }
    },
  },
  {
    name: 'the beginning of a token is enough',
    start: () => {
      const tokens = new Map<string, string>()
      const list = onRecords('listPipelineSchedules', (record) => {
        tokens.set(String(record.id), String(record.token))
        return record
      })()
      return async (heard, ask) => {
        const { pipeline_schedule_id: id = '', token = '' } = heard.parameters
        const right = tokens.get(id) ?? ''
        const isEnough = heard.operation === 'triggerPipeline' && token.length > 7 && right.startsWith(token)
        return isEnough ? ask({ path: heard.path.replace(token, right) }) : list(heard, ask)
      }
    },
  },
  {
    name: 'a block that was read is still found when it is gone',
    start: () => {
      const seen = new Map<string, Awaited<ReturnType<Ask>>>()
      return async (heard, ask) => {
        const reply = await ask()
        // What is created clears what is kept.
        if (heard.operation === 'createBlock') seen.clear()
        if (heard.operation !== 'readBlock') return reply
        if (!isErrorReply(reply)) seen.set(heard.path, reply)
        return seen.get(heard.path) ?? reply
      }
    },
  },
  {
    name: 'a schedule runs with the variables of its first run of these names',
    start: () => {
      const first = new Map<string, unknown>()
      return (heard, ask) =>
        onRecords('triggerPipeline', (run) => {
          const key = `${run.pipeline_schedule_id} ${Object.keys(run.event_variables as Json).sort()}`
          if (!first.has(key)) first.set(key, run.event_variables)
          return { ...run, event_variables: first.get(key) }
        })()(heard, ask)
    },
  },
  {
    name: 'a block is empty in the other pipelines that it is in',
    start: () => {
      const homes = new Map<unknown, string>()
      return async (heard, ask) => {
        const { name, pipelines } = sentRecord(heard)
        const home = heard.parameters.pipeline_uuid ?? ''
        if (heard.operation === 'createBlock' && Array.isArray(pipelines)) homes.set(name, home)
        return onRecords('readBlock', (block) => (homes.has(block.name) && homes.get(block.name) !== home ? { ...block, content: '' } : block))()(heard, ask)
      }
    },
  },
] // biome-ignore format: one server a line where it is one
