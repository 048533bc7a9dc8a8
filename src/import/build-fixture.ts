import { createUnderstudy } from '../engine/create-understudy.ts'
import { FixtureError } from '../factories/fixture-error.ts'
import type { Fixture } from '../factories/fixture-type.ts'
import type { Profile } from '../profiles/define-profile.ts'
import type { Resource, WireRecord } from '../resources/resource.ts'
import type { Flaw } from '../shared/issues.ts'
import { parseTime } from '../shared/timestamps.ts'
import { isObject, textOf } from '../shared/values.ts'
import { type Collected, followsCreation } from './collect-records.ts'

export interface BuiltFixture {
  readonly fixture: Fixture
  /** Records that others refer to but no reply contains, such as `pipelines daily_sales`. */
  readonly assumed: readonly string[]
  /** Values that the mock cannot have. */
  readonly leftOut: readonly Flaw[]
}

/** Values that follow from others. */
const computed: ReadonlySet<string> = new Set(['downstream_blocks', 'all_upstream_blocks_executed'])
/** Maximum of passes that remove values that the mock cannot have. */
const mostPasses = 20

/** Builds a valid fixture: adds the records that others refer to, and omits values that the mock cannot have. */
export function buildFixture(
  { records: seen, created }: Pick<Collected, 'records' | 'created'>,
  resources: readonly Resource[],
  apiKeys: readonly string[],
  profile: Profile | undefined,
): BuiltFixture {
  const records = new Map(
    resources.map(({ plural }) => [plural, new Map<string, WireRecord>(seen.get(plural) ?? [])]),
  )
  const assumed = addReferences(records, created, resources)
  const draft: Record<string, unknown> = apiKeys.length === 0 ? {} : { api_keys: apiKeys }
  for (const { plural, order } of resources) {
    const listed = [...(records.get(plural)?.values() ?? [])].map((record) => complete(plural, record))
    // Such a list has records with equal timestamps in reverse order of insertion.
    if (order?.newestFirst) listed.reverse()
    if (listed.length > 0) draft[plural] = listed
  }
  const leftOut: Flaw[] = []
  for (let pass = 0; pass < mostPasses; pass++) {
    const flaws = findFlaws(draft, profile)
    if (flaws.length === 0) break
    leftOut.push(...flaws)
    leaveOut(draft, flaws)
  }
  return { fixture: draft, assumed, leftOut }
}

function complete(plural: string, record: WireRecord): WireRecord {
  const entries = Object.entries(record).filter(([name]) => !computed.has(name))
  // The remaining duration of a run on the server is unknown.
  const isUnderWay =
    plural === 'pipeline_runs' && (record.status === 'running' || record.status === 'initial')
  return Object.fromEntries([...entries, ...(isUnderWay ? [['run_script', 'running until advanced']] : [])])
}

/** Adds the missing records that others refer to, and returns their names. */
function addReferences(
  records: ReadonlyMap<string, Map<string, WireRecord>>,
  created: Collected['created'],
  resources: readonly Resource[],
): string[] {
  const assumed: string[] = []
  const byPlural = new Map(resources.map((resource) => [resource.plural, resource]))
  const seen = resources.flatMap((resource) =>
    [...(records.get(resource.plural)?.values() ?? [])].map((record) => ({ resource, record })),
  )
  const pending = [...seen, ...created.values()]
  for (const { resource, record } of pending) {
    for (const [attribute, { plural }] of Object.entries(resource.references ?? {})) {
      const value = record[attribute]
      const target = byPlural.get(plural)
      const known = records.get(plural)
      if (value === undefined || value === null || target === undefined) continue
      if (known?.has(String(value)) || created.has(`${plural}/${textOf(value)}`)) continue
      const name = `${target.singular}-${textOf(value)}`
      const values = { name, username: name, email: `${name}@example.com`, password: name }
      const given = { ...values, pipeline_uuid: record.pipeline_uuid, [target.key]: value }
      const own = Object.entries(given).filter(([key]) => Object.hasOwn(target.attributes.shape, key))
      const added: WireRecord = Object.fromEntries(own)
      if (followsCreation(target, added, created)) continue
      known?.set(String(value), plural === 'pipelines' ? { ...added, name: value } : added)
      assumed.push(`${plural} ${textOf(value)}`)
      pending.push({ resource: target, record: added })
    }
  }
  return assumed
}

function findFlaws(fixture: Fixture, profile: Profile | undefined): readonly Flaw[] {
  try {
    createUnderstudy({ fixture, ...(profile && { profile }) }).dispose()
    return []
  } catch (error) {
    if (error instanceof FixtureError) return error.flaws
    throw error
  }
}

/** Omits the attributes that flaws name, or the whole record if the attribute is required. */
function leaveOut(draft: Readonly<Record<string, unknown>>, flaws: readonly Flaw[]): void {
  const invalid = new Set<WireRecord>()
  for (const { path } of flaws) {
    const [, plural = '', index, attribute = ''] = /^\$\.(\w+)\[(\d+)\](?:\.(\w+))?/.exec(path) ?? []
    const list = draft[plural]
    const record: unknown = Array.isArray(list) ? list[Number(index)] : undefined
    if (!isObject(record)) continue
    if (Object.hasOwn(record, attribute)) delete record[attribute]
    else invalid.add(record)
  }
  if (invalid.size === 0) return
  for (const list of Object.values(draft)) {
    if (!Array.isArray(list)) continue
    const valid: unknown[] = list.filter((record) => !invalid.has(record))
    list.splice(0, list.length, ...valid)
  }
}

/** Replaces each timestamp by one relative to the clock of the mock. */
export function withRelativeTimes(fixture: Fixture, resources: readonly Resource[], now: number): Fixture {
  const entries = Object.entries(fixture).map(([name, value]) => {
    const times = resources.find(({ plural }) => plural === name)?.times
    if (times === undefined || !Array.isArray(value)) return [name, value]
    return [name, value.filter(isObject).map((record) => relative(record, times, now))]
  })
  return Object.fromEntries(entries)
}

function relative(record: WireRecord, times: readonly string[], now: number): WireRecord {
  const entries = Object.entries(record).map(([name, value]) => {
    const time = times.includes(name) && typeof value === 'string' ? parseTime(value) : undefined
    if (time === undefined) return [name, value]
    const seconds = Math.round((time - now) / 1_000)
    return [name, `${seconds < 0 ? '' : '+'}${seconds}s`]
  })
  return Object.fromEntries(entries)
}
