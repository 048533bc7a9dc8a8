import { textOf } from '../../wire/text-of.ts'
import { toUuid } from '../../wire/uuid-rule.ts'
import type { FixtureEntry, FixtureForm, WireRecord } from '../resource.ts'
import { nests } from './schema.ts'

/** Blocks may stand inside their pipeline, in the order of their priority, and state each dependency once. */
export const fixture: FixtureForm = {
  nested: { ...nests, at: (index) => ({ priority: index }) },
  *link(entries, refuse) {
    const downstream = new Map<string, string[]>()
    const statuses = new Map<string, unknown>()
    for (const { values } of entries) {
      yield
      statuses.set(keyOf(values, uuidOf(values)), values.status)
      for (const upstream of upstreamOf(values)) {
        const key = keyOf(values, upstream)
        const below = downstream.get(key)
        if (below === undefined) downstream.set(key, [uuidOf(values)])
        else below.push(uuidOf(values))
      }
    }
    for (const { path, values } of entries) {
      yield
      for (const [index, upstream] of upstreamOf(values).entries()) {
        // One that is taken out of a state says both ends, and was let in when it was written.
        if (typeof upstream !== 'string' || 'downstream_blocks' in values) continue
        if (statuses.has(keyOf(values, upstream))) continue
        refuse(`${path}.upstream_blocks[${index}]`, 'the uuid of a block of the same pipeline', upstream)
      }
    }
    const linked: FixtureEntry[] = []
    for (const { path, values } of entries) {
      yield
      const upstream = upstreamOf(values)
      linked.push({
        path,
        values: {
          ...values,
          ...(values.upstream_blocks === undefined ? {} : { upstream_blocks: upstream }),
          downstream_blocks: downstream.get(keyOf(values, uuidOf(values))) ?? [],
          all_upstream_blocks_executed: upstream.every(
            (uuid) => statuses.get(keyOf(values, uuid)) === 'executed',
          ),
        },
      })
    }
    return linked
  },
}

/** Clients write [""] for a block without upstream; what is no text at all is the schema's to refuse. */
function upstreamOf({ upstream_blocks: uuids }: WireRecord): unknown[] {
  return Array.isArray(uuids) ? uuids.filter((uuid) => uuid !== '') : []
}

function keyOf({ pipeline_uuid }: WireRecord, uuid: unknown): string {
  return `${textOf(pipeline_uuid)}/${textOf(uuid)}`
}

function uuidOf({ uuid, name }: WireRecord): string {
  return textOf(uuid ?? toUuid(textOf(name)))
}
