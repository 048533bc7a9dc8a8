import type { ReceivedRecord } from '../runner/replies.ts'
import * as corner from './boundary-values.ts'
import type { Command, PlannedCommand } from './commands.ts'
import type { GuardedOperation } from './guarded.ts'
import { type InvalidRequest, invalidRequests } from './invalid-requests.ts'
import type { UnknownRecord } from './refused-commands.ts'

/*
 * Short forms of the commands of scripted sequences.
 */

export const create = (pipeline: number, name: string): PlannedCommand => ({
  do: 'create backfill',
  pipeline,
  name,
})
export const update = (values: ReceivedRecord, backfill = 0): PlannedCommand => ({
  do: 'update backfill',
  backfill,
  values,
})
export const atOnce = (...commands: readonly PlannedCommand[]): Command => ({ do: 'at once', commands })
export const block = (
  pipeline: number,
  name: string,
  type: string,
  values: (typeof corner.blockValues)[number] = {},
  upstream: readonly number[] = [],
): PlannedCommand => ({ do: 'create block', pipeline, name, type, values, upstream })
export const newBlock = (name: string, type = 'custom') => ({ name, type, values: {}, upstream: [] })
export const remove = (number: number, query = ''): PlannedCommand => ({
  do: 'delete block',
  block: number,
  query,
})

export const sendInvalid = (request: InvalidRequest): Command => ({
  do: 'send invalid',
  pipeline: 0,
  ...request,
})

/** Puts invalid requests before the commands after the first few: so the next command follows an error. */
export function amongInvalid(
  commands: readonly Command[],
  skipped: number,
  from: number,
  to: number,
): Command[] {
  const chosen = invalidRequests.slice(from, to)
  return commands.flatMap((command, index): Command[] => {
    const invalid = index < skipped ? undefined : chosen[index - skipped]
    return invalid === undefined ? [command] : [sendInvalid(invalid), command]
  })
}

/**
 * Puts wrong credentials for operations before the commands of a range: so more requests follow an error. Operations
 * that write have a separate sequence, since the model cannot follow a target that accepts wrong credentials.
 */
export function amongGuarded(
  commands: readonly Command[],
  from: number,
  to: number,
  ...operations: readonly GuardedOperation[]
): Command[] {
  const of = Math.floor((Math.min(to, commands.length) - from) / operations.length)
  return commands.flatMap((command, index): Command[] => {
    const part = Math.floor((index - from) / operations.length)
    const operation = operations[(index - from) % operations.length]
    if (part < 0 || part >= of || operation === undefined) return [command]
    return [{ do: 'send wrong credentials', pipeline: 0, to: operation, part, of }, command]
  })
}

export const twice = (command: Command): readonly Command[] => [command, command]

/** Updates also use every name, beside other values. */
export const newName = (index: number) => ({
  name: corner.backfillNames[index % corner.backfillNames.length],
})

/** Unknown records, with similar and with completely different names, and with further parameters. */
const unknownRecords: readonly UnknownRecord[] = [
  { what: 'pipeline', near: 2 }, { what: 'pipeline', near: 0, query: '?include_schedules=1' }, { what: 'pipeline', near: 1 },
  { what: 'block', near: 3 }, { what: 'block', near: 0 }, { what: 'block', near: 1 }, { what: 'block', near: 2 },
  { what: 'delete block', near: 2 }, { what: 'delete block', near: 0, query: '?force=True' },
  { what: 'delete block', near: 1, query: '?block_type=custom' }, { what: 'delete block', near: 5, query: '?force=True&block_type=custom' },
  { what: 'create block' }, { what: 'create block', near: 0 }, { what: 'create backfill' },
  { what: 'create backfill', near: 0 }, { what: 'create backfill', near: 1 },
  { what: 'update', near: 1 }, { what: 'update', near: 0 }, { what: 'update', near: 2 },
  { what: 'delete', near: 2 }, { what: 'delete', near: 0 }, { what: 'delete', near: 1 },
  { what: 'pipeline', near: 5 }, { what: 'pipeline', near: 6 }, { what: 'pipeline', near: 7 },
  { what: 'block', near: 7 },
] // biome-ignore format: a list of what is asked for

/** Valid commands, each after a refusal. */
const rightAfter: readonly Command[] = [
  block(0, 'made after a refusal', 'custom', { content: 'Ünï ☃\n', config: { a: [0, null] }, configuration: { data_provider: 'x' }, priority: 0 }),
  create(0, 'Ünï made after a refusal '),
  update({ name: 'Ünï changed', variables: { a: null }, interval_units: 3 }),
  { do: 'list backfills', pipeline: 0, limit: 1, offset: 1 },
  block(0, 'depends on it', 'transformer', { content: 'b' }, [1]),
  { do: 'create pipeline', word: 'a-b-c', type: 'streaming' },
  update({ start_datetime: '2024-02-29 23:59:59', end_datetime: '2024-03-01 00:00:01', interval_type: 'custom' }, 2),
  update({ status: 'completed' }),
  { do: 'list pipelines' },
  create(1, 'true'),
  atOnce(update({ name: 'ä' }), update({ interval_units: 2 }, 2)),
  { do: 'list everything' },
  atOnce({ do: 'request unknown', pipeline: 0, what: 'delete' }, create(0, '[]'), create(0, 'yes')),
  // Another block depends on it.
  remove(1),
  { do: 'delete backfill', backfill: 0 },
  atOnce(update({ name: 'late' }, 2), { do: 'delete backfill', backfill: 2 }),
  remove(2),
] // biome-ignore format: one step a line

/** Requests for unknown records, each with a valid command after it. */
export const afterRefusals: readonly Command[] = unknownRecords.flatMap((unknownRecord, index): Command[] => [
  { do: 'request unknown', pipeline: 0, ...unknownRecord },
  ...rightAfter.slice(index, index + 1),
])
