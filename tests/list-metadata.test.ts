import { expect, it } from 'vitest'
import { readSwitches } from '../src/assumptions/switches.ts'
import { startTime } from '../src/engine/clock.ts'
import { handleRequest } from '../src/engine/handle-request.ts'
import { JournalBudget } from '../src/engine/journal/journal.ts'
import { Router } from '../src/engine/router.ts'
import { createTokens } from '../src/engine/tokens.ts'
import type { WorldSettings } from '../src/engine/worlds/world-settings.ts'
import { readWorldStart } from '../src/engine/worlds/world-start.ts'
import { WorldMap } from '../src/engine/worlds/worlds.ts'
import type { UnderstudyReply } from '../src/index.ts'
import type { Resource } from '../src/resources/resource.ts'
import { company } from './support/company.ts'

const settings: WorldSettings = {
  seed: 1,
  auth: 'open',
  own: {},
  profile: undefined,
  faultyVariant: undefined,
  catalog: { profiles: {}, faultyVariants: {} },
  scenarios: undefined,
  time: startTime(),
  tokens: createTokens(1),
  assumptions: undefined,
  switches: readSwitches({}),
  faults: [],
  journals: new JournalBudget({}),
  memory: { used: 0, limit: 1e9 },
  limited: () => undefined,
  saving: {},
  adapters: [],
}

/** Adds a list with empty metadata, which no documented list has. */
function withEmptyMetadata(resource: Resource): Resource {
  const operations = resource.operations.map((operation) =>
    operation.id === 'listBackfills' ? { ...operation, metadata: 'empty' as const } : operation,
  )
  return { ...resource, operations }
}

it('omits the metadata of a list if the operation defines none', () => {
  const start = readWorldStart(company, settings)
  const resources = start.resources.map(withEmptyMetadata)
  const worlds = new WorldMap({ ...start, resources, router: new Router(resources) }, settings, () => {
    throw new Error('No handle is asked for.')
  })
  const metadataAt = (url: string) => {
    const reply = handleRequest({ method: 'GET', url }, worlds) as UnderstudyReply
    return JSON.parse(reply.body).metadata
  }

  expect(metadataAt('/api/backfills')).toEqual({})
  expect(metadataAt('/api/pipelines/daily_sales/logs')).toEqual({})
  expect(metadataAt('/api/pipelines')).toEqual({ count: 2, next: false })
  expect(worlds.main.journal.entries({ operation: 'listBackfills' })[0]!.reply.body).toHaveProperty(
    'metadata',
    {},
  )
})
