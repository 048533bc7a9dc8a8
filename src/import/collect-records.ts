import { keyOf } from '../factories/store.ts'
import type { Resource, WireRecord } from '../resources/resource.ts'
import { hidden } from '../shared/hidden.ts'
import { toUuid } from '../shared/uuid-rule.ts'
import { isObject, textOf } from '../shared/values.ts'
import type { ImportedExchange } from './read-exchanges.ts'

type SeenRecord = Record<string, unknown>

export interface Collected {
  /** The records that existed before the first request, by plural and key. */
  readonly records: ReadonlyMap<string, ReadonlyMap<string, SeenRecord>>
  /** Records that requests created, each with its resource. */
  readonly created: ReadonlyMap<string, { readonly resource: Resource; readonly record: WireRecord }>
  /** Attributes that replies contain and fixtures do not, by plural. */
  readonly unknown: ReadonlyMap<string, ReadonlySet<string>>
  /** Uuids of all pipelines in replies, selected or not. */
  readonly pipelines: ReadonlySet<string>
}

/**
 * Collects the records of replies, as they were before the first request: the first value of each attribute, and
 * no record that a request created.
 *
 * @param selects selects pipelines by their uuid.
 */
export function collectRecords(
  exchanges: readonly ImportedExchange[],
  resources: readonly Resource[],
  selects: (pipeline: string) => boolean,
): Collected {
  const byPlural = new Map(resources.map((resource) => [resource.plural, resource]))
  const records = new Map<string, Map<string, SeenRecord>>()
  const created = new Map<string, { resource: Resource; record: WireRecord }>()
  const unknown = new Map<string, Set<string>>()
  const pipelines = new Set<string>()

  function adopt(resource: Resource, shown: WireRecord, wasCreated: boolean): void {
    const uuid = shown.uuid ?? (shown.name === undefined ? undefined : toUuid(textOf(shown.name)))
    const record = resource.key === 'uuid' && uuid !== undefined ? { ...shown, uuid } : shown
    if (record[resource.key] === undefined || record[resource.key] === hidden) return
    const pipeline = resource.plural === 'pipelines' ? record.uuid : record.pipeline_uuid
    if (typeof pipeline === 'string') {
      pipelines.add(pipeline)
      if (!selects(pipeline)) return
    }
    const isNew = wasCreated || followsCreation(resource, record, created)
    adoptNested(resource, record, isNew)
    const key = keyOf(resource, record)
    const name = `${resource.plural}/${key}`
    if (isNew) created.set(name, { resource, record })
    if (created.has(name)) return
    const known = records.get(resource.plural) ?? new Map<string, SeenRecord>()
    records.set(resource.plural, known)
    const seen = known.get(key) ?? {}
    known.set(key, seen)
    for (const [attribute, value] of Object.entries(record)) {
      if (Object.hasOwn(resource.attributes.shape, attribute)) {
        // A hidden credential is unknown, so the mock generates one.
        if (value === hidden || Object.hasOwn(seen, attribute)) continue
        seen[attribute] = resource.times.includes(attribute) ? toStoredTime(value) : value
      } else if (!Object.hasOwn(resource.derived ?? {}, attribute)) {
        unknown.set(resource.plural, (unknown.get(resource.plural) ?? new Set()).add(attribute))
      }
    }
  }

  /** Adopts the records inside another record of a reply, such as the blocks of a pipeline. */
  function adoptNested(resource: Resource, record: WireRecord, isNew: boolean): void {
    for (const [attribute, { is }] of Object.entries(resource.derived ?? {})) {
      const list = record[attribute]
      const inner = 'listOf' in is ? byPlural.get(is.listOf) : undefined
      if (inner === undefined || !('by' in is) || !Array.isArray(list)) continue
      for (const item of list)
        if (isObject(item)) adopt(inner, { ...item, [is.by]: record[resource.key] }, isNew)
    }
  }

  for (const { endpoint, parameters, replyBody } of exchanges) {
    const { resource, operation } = endpoint
    if (resource.plural === 'logs') {
      for (const file of logFilesIn(replyBody, parameters.pipeline_uuid ?? '')) {
        const known = records.get('logs') ?? new Map<string, SeenRecord>()
        if (selects(textOf(file.pipeline_uuid)) && !followsCreation(resource, file, created))
          records.set('logs', known.set(textOf(file.path), file))
      }
      continue
    }
    const list = replyBody[resource.plural]
    const shown = Array.isArray(list)
      ? list.filter(isObject)
      : [replyBody[resource.singular]].filter(isObject)
    const { pipeline_uuid } = parameters
    for (const record of shown)
      adopt(
        resource,
        pipeline_uuid === undefined ? record : { pipeline_uuid, ...record },
        operation.action === 'create',
      )
  }
  return { records, created, unknown, pipelines }
}

/** Reports whether a record refers to one that a request created: it did not exist before either. */
export function followsCreation(
  { references = {} }: Resource,
  record: WireRecord,
  created: Collected['created'],
): boolean {
  return Object.entries(references).some(([attribute, { plural }]) =>
    created.has(`${plural}/${textOf(record[attribute])}`),
  )
}

/** Converts a timestamp of either form to the form of fixtures, in UTC. */
function toStoredTime(value: unknown): unknown {
  const [, day, time, fraction = ''] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(?:Z|\+00:?00)?$/.exec(textOf(value)) ?? []
  return day === undefined ? value : `${day} ${time}.${fraction.padEnd(6, '0')}+00:00`
}

/** The log files of an entry: those of block runs have the names of their blocks. */
function logFilesIn({ logs }: Readonly<Record<string, unknown>>, pipeline_uuid: string): SeenRecord[] {
  const entries = Array.isArray(logs) ? logs.filter(isObject) : []
  return entries.flatMap(({ block_run_logs, pipeline_run_logs }) =>
    [block_run_logs, pipeline_run_logs].flatMap((files, index) =>
      (Array.isArray(files) ? files.filter(isObject) : []).map(({ name, path, content }) => ({
        pipeline_uuid,
        ...(index === 0 && { block_uuid: textOf(name).replace(/\.log$/, '') }),
        name,
        path,
        content,
      })),
    ),
  )
}
