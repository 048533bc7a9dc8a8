import { createUnderstudy, type FixtureContents, type UnderstudyOptions } from 'pipeline-understudy'
import type { OperationBody, OperationReply } from 'pipeline-understudy/api'

export const fixture = {
  pipelines: [{ name: 'daily sales', blocks: [{ name: 'load orders', type: 'data_loader' }] }],
  backfills: [{ pipeline_uuid: 'daily_sales', status: 'failed' }],
} satisfies FixtureContents
const understudy = createUnderstudy({ fixture })

// @ts-expect-error: no resource is called so
export const noResource = { pipes: [] } satisfies FixtureContents
// @ts-expect-error: a pipeline has no such attribute
export const noAttribute = { pipelines: [{ name: 'sales', nme: 'sales' }] } satisfies FixtureContents
// @ts-expect-error: no backfill has this status
export const noStatus = { backfills: [{ status: 'paused' }] } satisfies FixtureContents

understudy.faults.add({ operation: 'deleteBackfill', times: 1, error: { code: 500 } })
// @ts-expect-error: no operation has this id
understudy.faults.add({ operation: 'deleteBackfills', error: { code: 500 } })
// @ts-expect-error: no operation has this id
export const noReply = (reply: OperationReply<'readPipelin'>) => reply
// @ts-expect-error: reads have no body of this operation
export const noBody: OperationBody<'updateBackfil'> = {}

// @ts-expect-error: an option that is left out is not written as undefined
export const options: UnderstudyOptions = { fixture: undefined }

export const status: string | null | undefined = understudy.model.backfills.findFirst((q) =>
  q.where({ id: 1 }),
)?.status
// @ts-expect-error: no pipeline has this trait
understudy.factories.pipeline.with('withWings')
