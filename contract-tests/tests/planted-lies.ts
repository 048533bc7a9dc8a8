import { tryParseJson } from '../../src/shared/json.ts'
import type { RecordedExchange } from '../../src/traffic/exchange.ts'
import type { OperationId } from '../rules/operation-id.ts'
import { isObject } from '../runner/is-object.ts'
import { operationOf } from '../runner/operation-of.ts'

type Value = Record<string, unknown>

/** An exchange whose reply a lie may change. */
export interface View {
  readonly recorded: RecordedExchange
  readonly operation: OperationId | undefined
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly sent: Value
  body: Value
}

/** A stateful lie: a change of one reply that only other replies contradict. Returns whether the recording has a place for it. */
export interface Lie {
  readonly name: string
  readonly tell: (views: readonly View[]) => boolean
}

/** The exchanges of a recording, to be changed. */
export function viewsOf(recorded: readonly RecordedExchange[]): View[] {
  return recorded.map((exchange) => {
    const path = exchange.request.url.replace(/^https?:\/\/[^/]+/, '')
    const reached = operationOf(exchange.request.method, path)
    const body = tryParseJson(exchange.reply?.body ?? '')
    const sent = tryParseJson(exchange.request.body ?? '')
    return {
      recorded: exchange,
      operation: reached?.facts.operation,
      parameters: reached?.parameters ?? {},
      query: new URLSearchParams(path.split('?')[1]),
      sent: isObject(sent) ? { ...sent } : {},
      body: isObject(body) ? (structuredClone(body) as Value) : {},
    }
  })
}

/** The recording with what lies have changed. */
export function recordingOf(views: readonly View[]): RecordedExchange[] {
  return views.map(({ recorded, body }) =>
    recorded.reply === undefined
      ? recorded
      : { ...recorded, reply: { ...recorded.reply, body: JSON.stringify(body) } },
  )
}

const error = { error: { code: 404, message: 'Record not found.', type: 'record_not_found' }, status: 200 }
const refusal = { error: { code: 401, message: 'Invalid API key.', type: 'invalid_api_key' }, status: 200 }

const listOf = ({ body }: View, plural: string): Value[] =>
  Array.isArray(body[plural]) ? (body[plural] as Value[]) : []
const recordOf = ({ body }: View, singular: string): Value | undefined =>
  isObject(body[singular]) ? (body[singular] as Value) : undefined
const isWhole = ({ query, body }: View) =>
  !query.has('_limit') && !query.has('_offset') && (body.metadata as Value | undefined)?.next !== true
const isDone = ({ body }: View) => body.error === undefined
/** Other valid values of attributes whose type or values the specification lists. */
const valid: Readonly<Record<string, readonly unknown[]>> = {
  interval_type: ['week', 'hour'], interval_units: [5, 6], language: ['sql', 'r'],
  variables: [{ changed: true }], data_integration: [{ changed: true }], start_time: ['2020-01-01 00:00:00.000000+00:00'],
  sla: [60], color: ['teal'], settings: [{ skip_if_previous_running: true }, {}],
} // biome-ignore format: a table

/** Another valid value of an attribute. */
function other(value: unknown, attribute?: string): unknown {
  if (attribute === 'type')
    return value === 'python' ? 'streaming' : value === 'transformer' ? 'sensor' : 'transformer'
  const listed = attribute === undefined ? undefined : valid[attribute]
  if (listed !== undefined) return listed.find((each) => JSON.stringify(each) !== JSON.stringify(value))
  if (typeof value === 'number') return value + 7
  if (typeof value === 'string') return `${value} changed`
  if (Array.isArray(value)) return [...value, 'changed']
  if (isObject(value)) return { ...value, changed: true }
  return value === null ? 'changed' : !value
}

/** A pair of exchanges in order; the lie changes the later one. */
function pair(
  views: readonly View[],
  isFirst: (view: View) => boolean,
  lie: (later: View, first: View, between: readonly View[]) => boolean,
  within = 12,
): boolean {
  return views.some((first, index) => {
    if (!isFirst(first)) return false
    for (let next = index + 1; next <= index + within && next < views.length; next++) {
      const later = views[next]
      if (later !== undefined && lie(later, first, views.slice(index + 1, next))) return true
    }
    return false
  })
}

const isWriteOf = (id: unknown) => (view: View) =>
  view.recorded.request.method !== 'GET' &&
  (view.parameters.backfill_id === String(id) || view.operation === 'updateBackfill')

/** A list or detail that shows a backfill. */
function shownBackfill(view: View, id: unknown): Value | undefined {
  const detail = view.operation === 'readBackfill' ? recordOf(view, 'backfill') : undefined
  return detail?.id === id
    ? detail
    : view.operation === 'listBackfills'
      ? listOf(view, 'backfills').find((one) => one.id === id)
      : undefined
}

/** A later read shows an updated attribute as it was before. */
function lostUpdate(attribute: string): Lie {
  return {
    name: `a read shows ${attribute} of a backfill as it was before the update`,
    tell: (views) =>
      pair(
        views,
        (view) =>
          view.operation === 'updateBackfill' &&
          isDone(view) &&
          isObject(view.sent.backfill) &&
          attribute in view.sent.backfill,
        (later, first, between) => {
          const id = recordOf(first, 'backfill')?.id
          const shown = shownBackfill(later, id)
          if (shown === undefined || between.some(isWriteOf(id))) return false
          const before = views
            .slice(0, views.indexOf(first))
            .reverse()
            .map((view) => shownBackfill(view, id) ?? recordOf(view, 'backfill'))
            .find((one) => one?.id === id)
          const value = before?.[attribute] ?? null
          if (JSON.stringify(value) === JSON.stringify(shown[attribute])) return false
          shown[attribute] = value
          return true
        },
      ),
  }
}

/** Two reads of the same record, nothing written between them, differ. */
function drift(
  operation: OperationId,
  singular: string,
  plural: string,
  key: string,
  attribute: string,
  change: (value: unknown, attribute: string) => unknown = other,
): Lie {
  const records = (view: View): Value[] => {
    const one = recordOf(view, singular)
    return one ? [one] : listOf(view, plural)
  }
  return {
    name: `${operation} shows another ${attribute} of the same ${singular} later`,
    tell: (views) =>
      pair(
        views,
        (view) => isDone(view) && records(view).length > 0,
        (later, first, between) => {
          if (
            later.operation !== operation ||
            between.some(({ recorded }) => recorded.request.method !== 'GET')
          )
            return false
          const twin = records(later).find(
            (one) =>
              attribute in one &&
              records(first).some(
                (before) =>
                  before[key] === one[key] &&
                  attribute in before &&
                  (singular !== 'block' || first.parameters.pipeline_uuid === later.parameters.pipeline_uuid),
              ),
          )
          if (twin === undefined) return false
          twin[attribute] = change(twin[attribute], attribute)
          return true
        },
      ),
  }
}

/** The reply to a creation or an update differs from what was sent. */
function wrongEcho(operation: OperationId, singular: string, attribute: string): Lie {
  return {
    name: `${operation} answers with another ${attribute} than was sent`,
    tell: (views) =>
      views.some((view) => {
        const record = recordOf(view, singular)
        const sent = view.sent[singular]
        if (
          view.operation !== operation ||
          record === undefined ||
          !isObject(sent) ||
          !(attribute in sent) ||
          !(attribute in record) ||
          !isDone(view)
        )
          return false
        record[attribute] = other(record[attribute], attribute)
        return true
      }),
  }
}

/** A new record has a value that nobody wrote. */
function wrongDefault(operation: OperationId, singular: string, attribute: string, value: unknown): Lie {
  return {
    name: `${operation} answers with ${attribute} already set`,
    tell: (views) =>
      views.some((view) => {
        const record = recordOf(view, singular)
        const sent = view.sent[singular]
        if (
          view.operation !== operation ||
          record === undefined ||
          !(attribute in record) ||
          (isObject(sent) && attribute in sent)
        )
          return false
        record[attribute] = value
        return true
      }),
  }
}

/** A record is not in a whole list after its creation. */
function hidden(
  creation: OperationId,
  singular: string,
  list: OperationId,
  plural: string,
  key: string,
  isFiltered?: boolean,
): Lie {
  return {
    name: `a new ${singular} is missing in ${list}${isFiltered === undefined ? '' : isFiltered ? ' of its pipeline' : ' of all'}`,
    tell: (views) =>
      pair(
        views,
        (view) => view.operation === creation && recordOf(view, singular) !== undefined,
        (later, first) => {
          const record = recordOf(first, singular)
          if (
            later.operation !== list ||
            !isWhole(later) ||
            (isFiltered !== undefined && later.query.has('pipeline_uuid') !== isFiltered)
          )
            return false
          const items = listOf(later, plural)
          const index = items.findIndex((one) => one[key] === record?.[key])
          if (index === -1) return false
          items.splice(index, 1)
          return true
        },
      ),
  }
}

const lists = (view: View) => view.operation === 'listBackfills' && listOf(view, 'backfills').length > 1
const sameList = (one: View, two: View) => one.query.get('pipeline_uuid') === two.query.get('pipeline_uuid')
const unwritten = (between: readonly View[]) =>
  between.every(({ recorded }) => recorded.request.method === 'GET')

/** A later part of the same list, nothing written between them. */
function laterList(name: string, lie: (later: View, items: Value[], first: View) => boolean): Lie {
  return {
    name,
    tell: (views) =>
      pair(
        views,
        lists,
        (later, first, between) =>
          lists(later) &&
          sameList(first, later) &&
          unwritten(between) &&
          lie(later, listOf(later, 'backfills'), first),
      ),
  }
}

const deletions = {
  backfill: { operation: 'deleteBackfill', list: 'listBackfills', plural: 'backfills', key: 'id' },
  block: { operation: 'deleteBlock', list: 'readPipeline', plural: 'blocks', key: 'uuid' },
} as const

function resurrected(singular: 'backfill' | 'block'): Lie {
  const { operation, list, plural, key } = deletions[singular]
  return {
    name: `a deleted ${singular} is shown by ${list}`,
    tell: (views) =>
      pair(
        views,
        (view) => view.operation === operation && isDone(view) && recordOf(view, singular) !== undefined,
        (later, first) => {
          if (later.operation !== list || !isDone(later)) return false
          const pipeline = recordOf(later, 'pipeline')
          const items = pipeline ? (pipeline[plural] as Value[]) : listOf(later, plural)
          const record = recordOf(first, singular)
          const isOfHome =
            singular === 'block'
              ? pipeline?.uuid === first.parameters.pipeline_uuid
              : !later.query.has('pipeline_uuid') ||
                later.query.get('pipeline_uuid') === record?.pipeline_uuid
          if (
            !isOfHome ||
            !Array.isArray(items) ||
            record === undefined ||
            items.some((one) => one[key] === record[key])
          )
            return false
          items.push(structuredClone(record))
          return true
        },
      ),
  }
}

/** A read that should fail or succeed does the reverse. */
function swappedOutcome(
  name: string,
  isFirst: (view: View) => boolean,
  lie: (later: View, first: View) => boolean,
): Lie {
  return { name, tell: (views) => pair(views, isFirst, (later, first) => lie(later, first)) }
}

const created = (operation: OperationId, singular: string) => (view: View) =>
  view.operation === operation && recordOf(view, singular) !== undefined
const replaceBody = (view: View, body: Value) => {
  view.body = structuredClone(body)
  return true
}

export const lies: readonly Lie[] = [
  // A run is triggered after its schedule was listed.
  {
    name: 'triggerPipeline answers with another pipeline than that of the schedule',
    tell: (views) => pair(views, (view) => view.operation === 'listPipelineSchedules' && isDone(view), (later, first) => {
      const record = recordOf(later, 'pipeline_run')
      if (record === undefined || !listOf(first, 'pipeline_schedules').some(({ id }) => id === record.pipeline_schedule_id)) return false
      record.pipeline_uuid = 'another_pipeline'
      return true
    }, 200),
  },
  ...['name', 'start_datetime', 'end_datetime', 'interval_type', 'interval_units', 'variables'].map(lostUpdate),
  ...(['name', 'start_datetime', 'interval_type', 'interval_units', 'created_at', 'variables'] as const).map((attribute) =>
    drift('listBackfills', 'backfill', 'backfills', 'id', attribute, attribute === 'created_at' ? () => '2020-01-01 00:00:00.000000+00:00' : attribute.endsWith('datetime') ? () => '2020-01-01 00:00:00.000000+00:00' : other)),
  ...(['name', 'pipeline_uuid', 'interval_type', 'interval_units'] as const).map((attribute) => drift('readBackfill', 'backfill', 'backfills', 'id', attribute)),
  ...(['name', 'type', 'description', 'executor_count', 'executor_config', 'notification_config', 'data_integration'] as const).map((attribute) => drift('readPipeline', 'pipeline', 'pipelines', 'uuid', attribute)),
  ...(['name', 'type'] as const).map((attribute) => drift('listPipelines', 'pipeline', 'pipelines', 'uuid', attribute)),
  ...(['name', 'type', 'language', 'content', 'executor_type', 'configuration'] as const).map((attribute) => drift('readBlock', 'block', 'none', 'uuid', attribute)),
  ...(['name', 'schedule_type', 'schedule_interval', 'tags', 'token', 'start_time', 'settings', 'sla'] as const).map((attribute) => drift('listPipelineSchedules', 'pipeline_schedule', 'pipeline_schedules', 'id', attribute)),
  wrongEcho('createPipeline', 'pipeline', 'name'),
  wrongEcho('createPipeline', 'pipeline', 'type'),
  wrongEcho('createBackfill', 'backfill', 'name'),
  wrongEcho('createBlock', 'block', 'name'),
  wrongEcho('createBlock', 'block', 'type'),
  wrongEcho('createBlock', 'block', 'content'),
  wrongEcho('createBlock', 'block', 'language'),
  wrongEcho('updateBackfill', 'backfill', 'name'),
  wrongEcho('updateBackfill', 'backfill', 'interval_units'),
  wrongEcho('updateBackfill', 'backfill', 'interval_type'),
  wrongEcho('updateBackfill', 'backfill', 'variables'),
  wrongDefault('createBackfill', 'backfill', 'status', 'completed'),
  wrongDefault('createBackfill', 'backfill', 'start_datetime', '2026-01-01 00:00:00'),
  wrongDefault('createBackfill', 'backfill', 'interval_type', 'day'),
  wrongDefault('createBackfill', 'backfill', 'interval_units', 3),
  wrongDefault('createBackfill', 'backfill', 'started_at', '2026-01-01 00:00:00'),
  wrongDefault('createBackfill', 'backfill', 'pipeline_uuid', 'another_pipeline'),
  wrongDefault('createPipeline', 'pipeline', 'executor_count', 2),
  wrongDefault('createPipeline', 'pipeline', 'description', 'set'),
  wrongDefault('createPipeline', 'pipeline', 'executor_type', 'k8s'),
  wrongDefault('triggerPipeline', 'pipeline_run', 'pipeline_schedule_id', 99),
  hidden('createBackfill', 'backfill', 'listBackfills', 'backfills', 'id', true),
  hidden('createBackfill', 'backfill', 'listBackfills', 'backfills', 'id', false),
  hidden('createPipeline', 'pipeline', 'listPipelines', 'pipelines', 'uuid'),
  {
    name: 'a new block is missing in its pipeline',
    tell: (views) =>
      pair(views, created('createBlock', 'block'), (later, first) => {
        const pipeline = recordOf(later, 'pipeline')
        const blocks = pipeline?.uuid === first.parameters.pipeline_uuid ? pipeline?.blocks : undefined
        const name = recordOf(first, 'block')?.name
        if (later.operation !== 'readPipeline' || !Array.isArray(blocks) || !blocks.some((one) => one.name === name)) return false
        pipeline!.blocks = blocks.filter((one) => one.name !== name)
        return true
      }),
  },
  resurrected('backfill'),
  resurrected('block'),
  swappedOutcome('a new pipeline cannot be read', created('createPipeline', 'pipeline'), (later, first) =>
    later.operation === 'readPipeline' && later.parameters.uuid === recordOf(first, 'pipeline')?.uuid && isDone(later) && replaceBody(later, error)),
  swappedOutcome('a block that its pipeline shows cannot be read', (view) => view.operation === 'readPipeline' && isDone(view), (later, first) => {
    const blocks = recordOf(first, 'pipeline')?.blocks
    return later.operation === 'readBlock' && isDone(later) && later.parameters.pipeline_uuid === first.parameters.uuid && Array.isArray(blocks) && blocks.some((one) => one.uuid === later.parameters.block_uuid) && replaceBody(later, error)
  }),
  swappedOutcome('a listed backfill cannot be read', lists, (later, first) =>
    later.operation === 'readBackfill' && isDone(later) && listOf(first, 'backfills').some(({ id }) => String(id) === later.parameters.backfill_id) && replaceBody(later, error)),
  swappedOutcome('a listed backfill cannot be updated', lists, (later, first) =>
    later.operation === 'updateBackfill' && isDone(later) && listOf(first, 'backfills').some(({ id }) => String(id) === later.parameters.backfill_id) && replaceBody(later, error)),
  swappedOutcome('a listed backfill cannot be deleted', lists, (later, first) =>
    later.operation === 'deleteBackfill' && isDone(later) && listOf(first, 'backfills').some(({ id }) => String(id) === later.parameters.backfill_id) && replaceBody(later, error)),
  swappedOutcome('a deleted backfill can be read', created('deleteBackfill', 'backfill'), (later, first) =>
    later.operation === 'readBackfill' && later.parameters.backfill_id === first.parameters.backfill_id && !isDone(later) && replaceBody(later, first.body)),
  swappedOutcome('a deleted block can be read', created('deleteBlock', 'block'), (later, first) =>
    later.operation === 'readBlock' && later.parameters.block_uuid === first.parameters.block_uuid && later.parameters.pipeline_uuid === first.parameters.pipeline_uuid && !isDone(later) && replaceBody(later, { block: { ...recordOf(first, 'block'), content: '', outputs: [] } })),
  ...(['name', 'pipeline_uuid', 'interval_units'] as const).map((attribute): Lie => ({
    name: `deleteBackfill answers with another ${attribute} than the list`,
    tell: (views) => pair(views, lists, (later, first) => {
      const record = recordOf(later, 'backfill')
      if (later.operation !== 'deleteBackfill' || record === undefined || !listOf(first, 'backfills').some(({ id }) => id === record.id)) return false
      record[attribute] = other(record[attribute], attribute)
      return true
    }),
  })),
  ...(['type', 'name'] as const).map((attribute): Lie => ({
    name: `deleteBlock answers with another ${attribute} than the block had`,
    tell: (views) => pair(views, created('createBlock', 'block'), (later, first) => {
      const record = recordOf(later, 'block')
      if (later.operation !== 'deleteBlock' || record === undefined || record.name !== recordOf(first, 'block')?.name) return false
      record[attribute] = other(record[attribute], attribute)
      return true
    }, 1_000),
  })),
  {
    name: 'an update sets another attribute back',
    tell: (views) => views.some((view, index) => {
      const record = recordOf(view, 'backfill')
      const sent = view.sent.backfill
      if (view.operation !== 'updateBackfill' || record === undefined || !isObject(sent) || 'interval_type' in sent || typeof record.interval_type !== 'string' || index < 5) return false
      record.interval_type = null
      return true
    }),
  },
  ...(['createBackfill', 'createPipeline', 'triggerPipeline'] as const).map((operation): Lie => ({
    name: `${operation} uses a key again`,
    tell: (views) => pair(views, (view) => view.operation === operation && isDone(view), (later, first) => {
      if (later.operation !== operation || !isDone(later)) return false
      const singular = operation === 'createBackfill' ? 'backfill' : operation === 'createPipeline' ? 'pipeline' : 'pipeline_run'
      const [one, two] = [recordOf(first, singular), recordOf(later, singular)]
      const key = singular === 'pipeline' ? 'uuid' : 'id'
      if (one === undefined || two === undefined) return false
      two[key] = one[key]
      return true
    }, 300),
  })),
  laterList('the same list comes in another order', (later, items, first) => {
    if (!isWhole(later) || !isWhole(first)) return false
    items.reverse()
    return true
  }),
  laterList('two items of a page have changed places', (later, items) => {
    if (later.query.get('_limit') === null) return false
    const [one, two, ...rest] = items
    later.body.backfills = [two, one, ...rest]
    return true
  }),
  laterList('a page starts one item late', (later, items, first) => {
    if (later.query.get('_limit') === null || !isWhole(first) || listOf(first, 'backfills').length < items.length + 1) return false
    const all = listOf(first, 'backfills')
    const offset = Number(later.query.get('_offset') ?? 0)
    if (offset + 1 + items.length > all.length) return false
    later.body.backfills = structuredClone(all.slice(offset + 1, offset + 1 + items.length))
    return true
  }),
  laterList('a page repeats an item of the page before', (later, items, first) => {
    if (later.query.get('_offset') === null || first.query.get('_limit') === null || first.query.get('_offset') !== null) return false
    later.body.backfills = [structuredClone(listOf(first, 'backfills').at(-1)), ...items.slice(1)]
    return true
  }),
  laterList('a page is short although more items follow', (later, items, first) => {
    if (later.query.get('_limit') === null || !isWhole(first) || items.length < 2) return false
    later.body.backfills = items.slice(0, 1)
    ;(later.body.metadata as Value).next = false
    return true
  }),
  laterList('a whole list lacks an item of the list before', (later, items, first) => {
    if (!isWhole(later) || !isWhole(first)) return false
    items.splice(1, 1)
    return true
  }),
  laterList('next is true on the last page', (later, items, first) => {
    if (!isWhole(first) || items.length === 0 || Number(later.query.get('_offset') ?? 0) + items.length !== listOf(first, 'backfills').length) return false
    ;(later.body.metadata as Value).next = true
    return true
  }),
  laterList('next is false on the first page', (later, _, first) => {
    const metadata = later.body.metadata as Value
    if (metadata.next !== true || !isWhole(first)) return false
    metadata.next = false
    return true
  }),
  {
    name: 'a list of one pipeline shows a backfill of another',
    tell: (views) => pair(views, (view) => view.operation === 'listBackfills' && !view.query.has('pipeline_uuid'), (later, first) => {
      const home = later.query.get('pipeline_uuid')
      const strange = listOf(first, 'backfills').find(({ pipeline_uuid }) => pipeline_uuid !== home)
      if (later.operation !== 'listBackfills' || home === null || !Array.isArray(later.body.backfills) || strange === undefined) return false
      const { total_run_count: _, ...shown } = structuredClone(strange)
      listOf(later, 'backfills').push({ ...shown, pipeline_uuid: home })
      return true
    }),
  },
  {
    name: 'an update changes the name of another backfill',
    tell: (views) => pair(views, (view) => view.operation === 'updateBackfill' && isDone(view), (later, first) => {
      const id = recordOf(first, 'backfill')?.id
      const neighbour = later.operation === 'listBackfills' ? listOf(later, 'backfills').find((one) => one.id !== id && views.slice(0, views.indexOf(first)).slice(-15).some((view) => shownBackfill(view, one.id))) : undefined
      if (neighbour === undefined) return false
      neighbour.name = 'changed by an update of another'
      return true
    }),
  },
  {
    name: 'a deletion also removes another backfill',
    tell: (views) => pair(views, created('deleteBackfill', 'backfill'), (later, first) => {
      const items = later.operation === 'listBackfills' && isWhole(later) ? listOf(later, 'backfills') : []
      const index = items.findIndex((one) => views.slice(0, views.indexOf(first)).slice(-15).some((view) => shownBackfill(view, one.id)))
      if (index === -1) return false
      items.splice(index, 1)
      return true
    }),
  },
  {
    name: 'a refused update is stored',
    tell: (views) => pair(views, (view) => view.operation === 'updateBackfill' && !isDone(view) && isObject(view.sent.backfill) && 'interval_type' in view.sent.backfill, (later, first) => {
      const shown = shownBackfill(later, Number(first.parameters.backfill_id))
      if (shown === undefined) return false
      shown.interval_type = 'week'
      return true
    }),
  },
  {
    name: 'a block that others depend on loses its downstream blocks',
    tell: (views) => views.some((view, index) => {
      const record = recordOf(view, 'block')
      if (view.operation !== 'readBlock' || index < 4 || !Array.isArray(record?.downstream_blocks) || record.downstream_blocks.length === 0) return false
      record.downstream_blocks = []
      return true
    }),
  },
  {
    name: 'a block loses its upstream blocks',
    tell: (views) => pair(views, (view) => view.operation === 'createBlock' && isDone(view) && isObject(view.sent.block) && Array.isArray(view.sent.block.upstream_blocks), (later, first) => {
      const record = recordOf(later, 'block')
      if (later.operation !== 'readBlock' || record?.name !== recordOf(first, 'block')?.name) return false
      record!.upstream_blocks = []
      return true
    }),
  },
  {
    name: 'a run loses its variables',
    tell: (views) => views.some((view) => {
      const record = recordOf(view, 'pipeline_run')
      if (view.operation !== 'triggerPipeline' || record === undefined) return false
      record.event_variables = {}
      return true
    }),
  },
  {
    name: 'credentials that were accepted are refused',
    tell: (views) => pair(views, (view) => view.operation === 'listBackfills' && isDone(view), (later, first) =>
      later.operation === 'listBackfills' && isDone(later) && JSON.stringify(later.recorded.request.headers) === JSON.stringify(first.recorded.request.headers) && replaceBody(later, refusal)),
  },
  {
    name: 'credentials that were refused are accepted',
    tell: (views) => pair(views, (view) => view.operation === 'listBackfills' && isDone(view), (later, first) =>
      later.operation === 'listBackfills' && isDone(later) && JSON.stringify(later.recorded.request.headers) === JSON.stringify(first.recorded.request.headers) && replaceBody(first, refusal)),
  },
  {
    name: 'a deleted block stays in the links of another',
    tell: (views) => pair(views, (view) => view.operation === 'deleteBlock' && isDone(view), (later, first) => {
      const record = recordOf(later, 'block')
      if (later.operation !== 'readBlock' || record === undefined || later.parameters.pipeline_uuid !== first.parameters.pipeline_uuid || !Array.isArray(record.upstream_blocks)) return false
      record.upstream_blocks = [...record.upstream_blocks, 'no_such_block']
      return true
    }, 60),
  },
] // biome-ignore format: a table
