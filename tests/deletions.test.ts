import { expect, it } from 'vitest'
import { demo } from '../src/fixtures/index.ts'
import { createUnderstudy, type Understudy } from '../src/index.ts'
import type { StoredPlural } from '../src/resources/records.ts'
import type { WireRecord } from '../src/resources/resource.ts'

const plurals = [
  'users', 'oauth_access_tokens', 'pipelines', 'blocks', 'pipeline_schedules', 'backfills', 'pipeline_runs', 'logs',
] as const // biome-ignore format: a list

/** The records of a resource, as text. */
const textsOf = ({ model }: Understudy, plural: StoredPlural) =>
  new Set(model[plural].all().map((record: WireRecord) => JSON.stringify(record)))

/** Counts the deleted and the changed records of each resource. */
function compare(before: Understudy, after: Understudy) {
  const counts = plurals.map((plural) => {
    const [was, is] = [textsOf(before, plural), textsOf(after, plural)]
    const changed = [...is].filter((text) => !was.has(text)).length
    return [plural, { gone: was.size - is.size, changed }] as const
  })
  return Object.fromEntries(counts.filter(([, { gone, changed }]) => gone + changed > 0))
}

it.each(plurals)('predicts the effect of every deletion of %s', async (plural) => {
  const whole = createUnderstudy({ fixture: demo })
  const all = whole.model[plural].all()
  const keys = [all.at(0)!, all.at(-1)!]
  const wrong: unknown[] = []
  for (const record of keys) {
    const understudy = createUnderstudy({ fixture: demo })
    const { model } = understudy
    const { along, stays } = await model[plural].deletion(record as never, { strict: true })
    expect(compare(whole, understudy)).toEqual({})
    model[plural].delete(record as never)
    const done = compare(whole, understudy)
    const announced = new Map<string, { gone: number; changed: number }>([[plural, { gone: 1, changed: 0 }]])
    for (const each of along) {
      announced.set(each.plural, { gone: (announced.get(each.plural)?.gone ?? 0) + each.count, changed: 0 })
    }
    for (const each of stays) {
      const { gone = 0, changed = 0 } = announced.get(each.plural) ?? {}
      announced.set(each.plural, { gone, changed: changed + each.count })
    }
    if (JSON.stringify(sorted(done)) !== JSON.stringify(sorted(Object.fromEntries(announced))))
      wrong.push([record, done, announced])
  }

  expect(all.length).toBeGreaterThan(1)
  expect(wrong).toEqual([])
})

const sorted = (counts: object) => Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1))

it('predicts which runs a deleted schedule removes, and which backfills remain', async () => {
  const { model } = createUnderstudy({ fixture: demo })
  const deletion = await model.pipeline_schedules.deletion((q) => q.where({ id: 10 }), { strict: true })

  expect(deletion.stays).toEqual([
    { plural: 'backfills', attribute: 'pipeline_schedule_id', count: 1, keys: ['2'] },
  ])
  expect(deletion.text).toBe(
    'Deleting the pipeline schedule 10 takes 5 pipeline runs and 18 logs along; 1 backfill stays without pipeline schedule id.',
  )
})

it('names at most 100 of what goes along, and counts all', async () => {
  const { model } = createUnderstudy({
    fixture: { pipelines: [{ name: 'large' }], backfills: Array(250).fill({ pipeline_uuid: 'large' }) },
  })
  const { along } = await model.pipelines.deletion((q) => q.where({ uuid: 'large' }), { strict: true })

  expect(along[0]).toMatchObject({ plural: 'backfills', count: 250 })
  expect(along[0]!.keys).toHaveLength(100)
})

it('shows no credential in the description', async () => {
  const { model } = createUnderstudy({ fixture: demo })
  const deletion = await model.oauth_access_tokens.deletion(undefined as never, { strict: true })

  expect(deletion.text).toBe('Deleting the oauth access token takes nothing along.')
})
