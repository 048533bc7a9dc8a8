import type { Resource, WireRecord } from '../resources/define-resource.ts'
import { suggest } from '../wire/suggest.ts'
import { toMilliseconds, toTimestamp } from '../wire/timestamps.ts'
import { UnderstudyError } from '../wire/understudy-error.ts'
import type { Model } from './model.ts'
import { type Trait, traits } from './traits.ts'

/** Makes records of one resource, filling what was not given; parents are made where there is none. */
export interface Factory<Values, Created, TraitName extends string> {
  /**
   * Makes one record.
   *
   * @throws where a value does not fit the resource, or refers to a record that does not exist.
   * @example
   * await understudy.factories.backfill.create({ status: 'running' })
   */
  create(values?: Values): Promise<Created>
  /** Makes several records, or none where one of them is refused; values may depend on the position, from 0. */
  createMany(count: number, values?: Values | ((index: number) => Values)): Promise<Created[]>
  /**
   * The same factory with named traits.
   *
   * @example
   * await understudy.factories.pipeline.with('withBlocks', 'withRuns').create()
   */
  with(...names: TraitName[]): Factory<Values, Created, TraitName>
}

type AnyFactory = Factory<WireRecord, WireRecord, string>

/** Creates the factory of a resource. */
export function createFactory(model: Model, resource: Resource, names: readonly string[] = []): AnyFactory {
  const known: Readonly<Record<string, Trait>> =
    (traits as Record<string, Readonly<Record<string, Trait>>>)[resource.singular] ?? {}
  const chosen = names.map((name) => {
    const trait = Object.hasOwn(known, name) ? known[name] : undefined
    if (trait) return trait
    throw new UnderstudyError(
      'ARGUMENT_INVALID',
      `A ${resource.singular} has no trait ${JSON.stringify(name)}; it has ${Object.keys(known).join(', ') || 'none'}.${suggest(name, Object.keys(known))}`,
    )
  })
  const createOne = (values: WireRecord = {}): WireRecord => {
    const given = Object.assign(
      {},
      ...chosen.map((trait) => trait.values),
      structuredClone(values),
    ) as WireRecord
    const table = model.table(resource.plural)
    const record = table.insert({ ...fill(model, resource, given), ...given })
    for (const trait of chosen) trait.after?.(record, model)
    return table.get(table.keyOf(record))!
  }
  return {
    create: async (values) => createOne(values),
    async createMany(count, values = {}) {
      const before = model.state()
      try {
        return Array.from({ length: count }, (_, index) =>
          createOne(typeof values === 'function' ? values(index) : values),
        )
      } catch (error) {
        // All of them or none.
        model.restore(before)
        throw error
      }
    },
    with: (...more) => createFactory(model, resource, [...names, ...more]),
  }
}

/** Gives a record the name, parents and moments that the resource itself cannot default. */
function fill(model: Model, resource: Resource, given: WireRecord): WireRecord {
  const filled: Record<string, unknown> = {}
  const number = model.table(resource.plural).nextId
  if ('name' in resource.attributes.shape && given.uuid === undefined && resource.singular !== 'log') {
    filled.name = `${resource.singular} ${number}`
  }
  if (resource.singular === 'oauth_access_token') {
    filled.token = `token-${number}`
    filled.expires = toTimestamp(toMilliseconds(model.now()) + 86_400_000)
  }
  if (resource.singular === 'pipeline_run' && given.status !== undefined && given.status !== 'running') {
    filled.completed_at = model.now()
  }
  for (const [attribute, { plural, whenDeleted }] of Object.entries(resource.references ?? {})) {
    if (given[attribute] !== undefined || whenDeleted === 'clear' || attribute === 'pipeline_run_id') continue
    filled[attribute] = parentKey(model, plural, { ...filled, ...given })
  }
  // A run belongs to the pipeline of its schedule.
  const scheduleId = given.pipeline_schedule_id ?? filled.pipeline_schedule_id
  if (resource.singular === 'pipeline_run' && given.pipeline_uuid === undefined && scheduleId !== undefined) {
    filled.pipeline_uuid = model.table('pipeline_schedules').get(String(scheduleId))?.pipeline_uuid
  }
  return filled
}

/** The key of the last record that can be the parent, or of a new one. */
function parentKey(model: Model, plural: string, child: WireRecord): unknown {
  const table = model.table(plural)
  const { resource } = table
  const shared = plural === 'pipeline_schedules' ? { pipeline_uuid: child.pipeline_uuid } : undefined
  const existing = shared ? table.last('pipeline_uuid', shared.pipeline_uuid) : table.records().at(-1)
  const record = existing ?? table.insert({ ...fill(model, resource, shared ?? {}), ...shared })
  return record[resource.key]
}
