import * as z from 'zod/mini'
import { id, timestamp } from '../attributes.ts'
import { pipelineRunStatuses } from '../pipeline-run/schema.ts'
import type { RecordModel, RecordOf } from '../records.ts'
import type { WireRecord } from '../resource.ts'
import { type BlockLogs, logOf } from './run-logs.ts'

/** What is kept of the log files of the blocks of a run. */
const kept = z.strictObject({
  id,
  pipeline_uuid: z.string(),
  pipeline_run_id: id,
  created_at: timestamp,
  folded: z.strictObject({
    blocks: z.array(z.string()).check(z.minLength(2)),
    /** The run as it was. */
    run: z.strictObject({
      id,
      pipeline_uuid: z.string(),
      pipeline_schedule_id: id,
      execution_date: timestamp,
      status: z.enum(pipelineRunStatuses),
      created_at: timestamp,
    }),
    lines: z.enum(['plain', 'json']),
  }),
})
type KeptLogs = z.output<typeof kept>

/** How many files count as one record that is made. */
const filesOfRecord = 100

/** The log files of the blocks of one run, kept as one record: their texts are made when somebody looks. */
export const folding = {
  attribute: 'folded' satisfies keyof KeptLogs,
  keep({ switches }: RecordModel, given: unknown): Omit<KeptLogs, 'id'> {
    // The table hands on what `appendRunLogs` gives it.
    const { blocks, run, now } = given as BlockLogs
    const { id, pipeline_uuid, pipeline_schedule_id, execution_date, status, created_at } = run
    const folded: KeptLogs['folded'] = {
      blocks: [...blocks],
      run: { id, pipeline_uuid, pipeline_schedule_id, execution_date, status, created_at },
      lines: switches['log-lines'],
    }
    return { pipeline_uuid, pipeline_run_id: id, created_at: now, folded }
  },
  /** Of runs of the same blocks, one list for all of them. */
  share(values: WireRecord, other: WireRecord): WireRecord {
    const [folded, known] = [keptIn(values), keptIn(other).blocks]
    const isSame =
      known.length === folded.blocks.length && known.every((uuid, index) => uuid === folded.blocks[index])
    return isSame ? { ...values, folded: { ...folded, blocks: known } } : values
  },
  isKept: (values: WireRecord): boolean => kept.safeParse(values).success,
  countOf: (values: WireRecord): number => (values.folded === undefined ? 1 : keptIn(values).blocks.length),
  weightOf: (values: WireRecord): number => Math.ceil(folding.countOf(values) / filesOfRecord),
  unfold(values: WireRecord, index: number): RecordOf<'logs'> {
    // What `keep` has made, or `isKept` has found to be such.
    const { pipeline_uuid, created_at, folded } = values as KeptLogs
    const { run, blocks, lines } = folded
    // An index below `countOf`.
    const block = blocks[index]!
    const { path, content } = logOf({ switches: { 'log-lines': lines } }, run, created_at, block)
    // In the order of the schema.
    return {
      id: Number(values.id) + index,
      pipeline_uuid,
      pipeline_run_id: run.id,
      block_uuid: block,
      name: `${block}.log`,
      path,
      content,
      created_at,
    }
  },
}

/** What is kept, of values that `keep` has made, or `isKept` has found to be such. */
function keptIn(values: WireRecord): KeptLogs['folded'] {
  return values.folded as KeptLogs['folded'] // `WireRecord` says nothing of what its attributes are.
}
