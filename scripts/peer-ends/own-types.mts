import { createUnderstudy, type Fixture } from 'pipeline-understudy'
import { isErrorEnvelope, type OperationReply } from 'pipeline-understudy/api'
import { createClient } from 'pipeline-understudy/client'
import { demo } from 'pipeline-understudy/fixtures'
import { understudyMatchers } from 'pipeline-understudy/matchers'
import { mageAi0979 } from 'pipeline-understudy/profiles'

const fixture: Fixture = { ...demo, clock: '2026-03-01T09:00:00Z' }
export const understudy = createUnderstudy({ fixture, profile: mageAi0979 })
export const status: 'completed' | 'failed' | 'cancelled' | 'running' | 'initial' | null | undefined =
  understudy.model.backfills.findFirst((q) => q.where({ id: 1 }))?.status
export const client = createClient('http://127.0.0.1:6789')
export const names = Object.keys(understudyMatchers)
export const count = (body: OperationReply<'listBackfills'>): number =>
  isErrorEnvelope(body) ? 0 : body.metadata.count
// @ts-expect-error: a status that no backfill has
void understudy.factories.backfill.create({ status: 'paused' })
// @ts-expect-error: a trait that no pipeline has
understudy.factories.pipeline.with('withWings')
