import { toUuid } from '../../shared/uuid-rule.ts'
import { textOf } from '../../shared/values.ts'
import type { FixtureFormOf } from '../names.ts'
import type { AttributeOf, RecordOf } from '../records.ts'
import type { FixtureEntry } from '../resource.ts'
import { nests } from './schema.ts'

/** A record of a fixture: with known names and unknown values. */
type Unchecked = { readonly [A in AttributeOf<'blocks'>]?: unknown }
const executed: RecordOf<'blocks'>['status'] = 'executed'
const downstream: keyof Unchecked = 'downstream_blocks'

/** A pipeline may contain its blocks in the order of their priority, with each dependency once. */
export const fixture: FixtureFormOf<'blocks'> = {
  nested: { ...nests, at: (index) => ({ priority: index }) },
  link(entries, refuse) {
    const below = new Map<string, string[]>()
    const statuses = new Map<string, unknown>()
    for (const { values } of entries) {
      statuses.set(keyOf(values, uuidOf(values)), values.status)
      for (const upstream of upstreamOf(values)) {
        const key = keyOf(values, upstream)
        const known = below.get(key)
        if (known === undefined) below.set(key, [uuidOf(values)])
        else known.push(uuidOf(values))
      }
    }
    for (const { path, values } of entries) {
      for (const [index, upstream] of upstreamOf(values).entries()) {
        // An exported block lists both ends of a dependency; the original write validated the block.
        if (typeof upstream !== 'string' || downstream in values) continue
        if (statuses.has(keyOf(values, upstream))) continue
        refuse(`${path}.upstream_blocks[${index}]`, 'the uuid of a block of the same pipeline', upstream)
      }
    }
    const linked: FixtureEntry[] = []
    for (const { path, values } of entries) {
      const upstream = upstreamOf(values)
      linked.push({
        path,
        values: {
          ...values,
          ...(values.upstream_blocks === undefined ? {} : { upstream_blocks: upstream }),
          downstream_blocks: below.get(keyOf(values, uuidOf(values))) ?? [],
          all_upstream_blocks_executed: upstream.every(
            (uuid) => statuses.get(keyOf(values, uuid)) === executed,
          ),
        },
      })
    }
    return linked
  },
}

/** Clients write [""] for a block without upstream. The schema refuses values that are not text. */
function upstreamOf({ upstream_blocks: uuids }: Unchecked): unknown[] {
  return Array.isArray(uuids) ? uuids.filter((uuid) => uuid !== '') : []
}

function keyOf({ pipeline_uuid }: Unchecked, uuid: unknown): string {
  return `${textOf(pipeline_uuid)}/${textOf(uuid)}`
}

function uuidOf({ uuid, name }: Unchecked): string {
  return textOf(uuid ?? toUuid(textOf(name)))
}
