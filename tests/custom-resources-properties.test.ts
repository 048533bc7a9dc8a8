import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Fixture } from '../src/index.ts'
import { anyCharacter } from './support/any-character.ts'
import { openInMemory } from './support/api.ts'
import { samples } from './support/depth.ts'

/** Printed in every failure; the same runs every time. */
const reports = { seed: 20_261_124, numRuns: samples(60) } as const

/** Few names, so that requests meet. A path cannot contain `.` and `..`: clients resolve them. */
const uuids = fc.constantFrom(
  ...['a', 'A', '1', '01', '-0', '...', 'a/b', 'a%2Fb', '%', '+', ' ', '?', '#', '"', '\\', '\0', '\n'],
  ...['é', 'e\u0301', '\u{1F600}', '\uFEFF', '__proto__', 'constructor', 'metadata', 'null', 'x'.repeat(400)],
)
const names = fc.oneof(
  fc.constantFrom('name', 'id', 'constructor', 'toString', 'length', '0', 'a.b', ''),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
)
const written = fc
  .array(fc.tuple(names, fc.jsonValue({ maxDepth: 2 })), { maxLength: 4 })
  .map((entries) => entries.filter(([name]) => !['uuid', '__proto__'].includes(name)))
  // JSON has no negative zero.
  .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries))) as object)

const steps = fc.array(
  fc.oneof(
    fc.record({ act: fc.constant('create' as const), uuid: uuids, written }),
    fc.record({ act: fc.constant('update' as const), uuid: uuids, written, sendsName: fc.boolean() }),
    fc.record({ act: fc.constant('read' as const), uuid: uuids }),
    fc.record({ act: fc.constant('delete' as const), uuid: uuids }),
    fc.record({
      act: fc.constant('list' as const),
      limit: fc.integer({ min: 1, max: 5 }),
      offset: fc.nat(6),
    }),
    fc.record({ act: fc.constant('export' as const) }),
    fc.record({ act: fc.constant('restore' as const) }),
  ),
  { minLength: 5, maxLength: 40 },
)

it('treats custom records of any name like a map', async () => {
  const api = await openInMemory({
    fixture: { custom: { plugins: [{ uuid: 'a', name: 'first' }] } } as Fixture,
  })
  const missing = { error: { code: 404, type: 'record_not_found' }, status: 200 }

  await fc.assert(
    fc.asyncProperty(steps, async (acts) => {
      api.understudy.reset()
      const records = new Map<string, object>([['a', { uuid: 'a', name: 'first' }]])
      for (const each of acts) {
        if (each.act === 'list') {
          const { limit, offset } = each
          const reply = await api.get(`/api/plugins?_limit=${limit}&_offset=${offset}`)
          expect(reply.records).toEqual([...records.values()].slice(offset, offset + limit))
          expect(reply.body).toMatchObject({
            metadata: { count: records.size, next: offset + limit < records.size },
          })
          continue
        }
        if (each.act === 'export') {
          await api.understudy.import(JSON.parse(JSON.stringify(api.understudy.export())) as Fixture)
          continue
        }
        if (each.act === 'restore') {
          api.understudy.snapshot('kept')
          await api.post('/api/plugins', { plugin: { uuid: 'that goes again' } })
          api.understudy.restore('kept')
          continue
        }
        const before = records.get(each.uuid)
        if (each.act === 'create') {
          const plugin = { uuid: each.uuid, ...each.written }
          const { body } = await api.post('/api/plugins', { plugin })
          if (before === undefined) records.set(each.uuid, plugin)
          if (before === undefined) expect(body).toEqual({ plugin })
          else expect(body).toMatchObject({ error: { code: 400, type: 'record_invalid' } })
          continue
        }
        const path = `/api/plugins/${encodeURIComponent(each.uuid)}`
        const { body } = await (each.act === 'read'
          ? api.get(path)
          : each.act === 'delete'
            ? api.delete(path)
            : api.put(path, { plugin: { ...each.written, ...(each.sendsName && { uuid: each.uuid }) } }))
        const plugin = before && { ...before, ...(each.act === 'update' && each.written) }
        if (plugin === undefined) expect(body).toMatchObject(missing)
        else expect(body).toEqual({ plugin })
        if (each.act === 'delete') records.delete(each.uuid)
        else if (plugin !== undefined) records.set(each.uuid, plugin)
      }
    }),
    reports,
  )
})
