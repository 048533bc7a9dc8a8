import type { ReceivedRecord } from '../runner/replies.ts'
import { createAtOnce, writeAtOnce } from './at-once-commands.ts'
import { type BlockCreation, createBlock, createBlocksAtOnce, deleteBlock } from './block-commands.ts'
import * as corner from './boundary-values.ts'
import * as bursts from './burst-commands.ts'
import { type Company, readInCompany } from './concurrent-commands.ts'
import { checkCredentials } from './credential-checks.ts'
import { presentNearly } from './credential-commands.ts'
import type { GuardedOperation } from './guarded.ts'
import { checkLogs } from './log-checks.ts'
import { pageLogs } from './log-commands.ts'
import { pageThrough } from './pages.ts'
import { plansTooMuch } from './planned-dates.ts'
import * as reads from './read-commands.ts'
import * as refusals from './refused-commands.ts'
import { checkSchedules, checkTrigger } from './schedule-checks.ts'
import { createSchedule, listSchedules, trigger, triggerNearly } from './schedule-commands.ts'
import type { SequenceRun } from './sequence-run.ts'
import * as sessions from './session-commands.ts'
import * as writes from './write-commands.ts'

/** Checks that need no record of the sequence. */
const checks = {
  credentials: checkCredentials,
  schedules: checkSchedules,
  trigger: checkTrigger,
  logs: checkLogs,
}

/** A step of a sequence. Records are named by a number, of those of their kind that are there. */
export type Command =
  | ({ readonly do: 'create pipeline' } & writes.NewPipeline)
  | ({ readonly do: 'create backfill'; readonly pipeline: number } & writes.NewBackfill)
  | {
      readonly do: 'update backfill'
      readonly backfill: number
      readonly values: ReceivedRecord
      readonly isOdd?: boolean
    }
  | {
      readonly do: 'update unlisted'
      readonly backfill: number
      readonly attribute: 'status' | 'interval_type'
      readonly value: string
    }
  | { readonly do: 'delete backfill'; readonly backfill: number }
  | ({ readonly do: 'list backfills'; readonly pipeline: number } & reads.BackfillPage)
  | { readonly do: 'list everything' }
  | { readonly do: 'list pipelines' }
  | { readonly do: 'read everything again' }
  | { readonly do: 'read triggers'; readonly pipeline: number }
  | ({ readonly do: 'create block'; readonly pipeline: number } & BlockCreation)
  | { readonly do: 'delete block'; readonly block: number; readonly query: string }
  | { readonly do: 'create schedule'; readonly pipeline: number; readonly tags: readonly string[] }
  | { readonly do: 'list schedules'; readonly pipeline: number; readonly tags: readonly string[] }
  | { readonly do: 'trigger'; readonly schedule: number; readonly body: ReceivedRecord }
  | { readonly do: 'trigger nearly'; readonly schedule: number; readonly near: number }
  | { readonly do: 'filter nearly'; readonly pipeline: number; readonly near: number; readonly query: string }
  | ({ readonly do: 'ask for nothing'; readonly pipeline: number } & refusals.Nothing)
  | { readonly do: 'ask elsewhere'; readonly pipeline: number }
  | { readonly do: 'send malformed'; readonly pipeline: number; readonly first: number }
  | { readonly do: 'ask oddly'; readonly pipeline: number; readonly odd: number }
  | ({ readonly do: 'send refused'; readonly pipeline: number } & writes.RefusedCreation)
  | { readonly do: 'update at once'; readonly backfill: number; readonly all: readonly ReceivedRecord[] }
  | { readonly do: 'create at once'; readonly pipeline: number; readonly names: readonly string[] }
  | {
      readonly do: 'create blocks at once'
      readonly pipeline: number
      readonly blocks: readonly BlockCreation[]
    }
  | { readonly do: 'update each at once'; readonly pipeline: number; readonly all: readonly ReceivedRecord[] }
  | { readonly do: 'delete twice at once'; readonly backfill: number }
  | { readonly do: 'update and delete at once'; readonly backfill: number; readonly values: ReceivedRecord }
  | {
      readonly do: 'trigger each at once'
      readonly pipeline: number
      readonly bodies: readonly ReceivedRecord[]
    }
  | { readonly do: 'read with and without credentials at once'; readonly pipeline: number }
  | { readonly do: 'present nearly'; readonly pipeline: number; readonly to: GuardedOperation }
  | { readonly do: 'read in company'; readonly pipeline: number; readonly company: Company }
  | { readonly do: 'sign in'; readonly pipeline: number }
  | { readonly do: 'sign in nearly' }
  | { readonly do: 'page tokens' }
  | { readonly do: 'page logs'; readonly pipeline: number }
  | { readonly do: 'page everything' }
  | { readonly do: 'check'; readonly what: keyof typeof checks }

/** Takes one step; one that means a record that is not there does nothing. */
export async function take(sequence: SequenceRun, command: Command): Promise<void> {
  const pipeline = 'pipeline' in command ? sequence.pick('pipeline', command.pipeline) : undefined
  const backfill = 'backfill' in command ? sequence.pick('backfill', command.backfill) : undefined
  const schedule = 'schedule' in command ? sequence.pick('schedule', command.schedule) : undefined
  switch (command.do) {
    case 'create pipeline':
      return writes.createPipeline(sequence, command)
    case 'create backfill':
      return pipeline && writes.createBackfill(sequence, pipeline, command)
    case 'update backfill':
      // What would keep the target busy for everybody is not sent.
      if (backfill === undefined || plansTooMuch({ ...backfill.written, ...command.values })) return
      return writes.updateBackfill(sequence, backfill, command.values, command.isOdd)
    case 'update unlisted':
      return backfill && writes.updateUnlisted(sequence, backfill, command.attribute, command.value)
    case 'delete backfill':
      return backfill && writes.deleteBackfill(sequence, backfill)
    case 'list backfills':
      return pipeline && reads.listPage(sequence, pipeline, command)
    case 'list everything':
      return reads.listEverything(sequence)
    case 'list pipelines':
      return reads.listPipelines(sequence)
    case 'read everything again':
      return reads.readAll(sequence)
    case 'read triggers':
      return pipeline && reads.readTriggers(sequence, pipeline)
    case 'create block':
      return pipeline && createOnce(sequence, pipeline, command)
    case 'delete block': {
      const block = sequence.pick('block', command.block)
      return block && deleteBlock(sequence, block, command.query)
    }
    case 'create schedule':
      return pipeline && createSchedule(sequence, pipeline, command.tags)
    case 'list schedules':
      return pipeline && listSchedules(sequence, pipeline, command.tags)
    case 'trigger':
      return schedule && trigger(sequence, schedule, command.body)
    case 'trigger nearly': {
      const near = corner.nearTriggers[command.near % corner.nearTriggers.length]
      return schedule && near && triggerNearly(sequence, schedule, near)
    }
    case 'filter nearly': {
      const near = corner.nearFilters[command.near % corner.nearFilters.length]
      return pipeline && near && reads.filterNearly(sequence, pipeline, near, command.query)
    }
    case 'ask for nothing':
      return pipeline && refusals.askForNothing(sequence, pipeline, command)
    case 'ask elsewhere':
      return pipeline && refusals.askElsewhere(sequence, pipeline)
    case 'send malformed':
      return pipeline && refusals.sendMalformed(sequence, pipeline, command.first)
    case 'ask oddly': {
      const odd = corner.oddRequests[command.odd % corner.oddRequests.length]
      return pipeline && odd && reads.askOddly(sequence, pipeline, ...odd)
    }
    case 'send refused':
      return pipeline && writes.sendRefused(sequence, pipeline, command)
    case 'update at once':
      return backfill && writeAtOnce(sequence, backfill, command.all)
    case 'create at once':
      return pipeline && createAtOnce(sequence, pipeline, command.names)
    case 'create blocks at once':
      return pipeline && createBlocksAtOnce(sequence, pipeline, command.blocks)
    case 'update each at once':
      if (
        sequence
          .all('backfill')
          .some(({ written }) => command.all.some((values) => plansTooMuch({ ...written, ...values })))
      )
        return
      return (
        pipeline && bursts.updateEach(sequence, sequence.all('backfill', pipeline).slice(0, 3), command.all)
      )
    case 'delete twice at once':
      return backfill && bursts.deleteTwice(sequence, backfill)
    case 'update and delete at once':
      if (backfill && plansTooMuch({ ...backfill.written, ...command.values })) return
      return backfill && bursts.updateAndDelete(sequence, backfill, command.values)
    case 'trigger each at once':
      return pipeline && bursts.triggerEach(sequence, sequence.all('schedule', pipeline), command.bodies)
    case 'read with and without credentials at once':
      return pipeline && bursts.rightBesideWrong(sequence, pipeline)
    case 'present nearly':
      return pipeline && presentNearly(sequence, pipeline, command.to)
    case 'read in company':
      return pipeline && readInCompany(sequence, pipeline, command.company)
    case 'sign in':
      return pipeline && sessions.signIn(sequence, pipeline)
    case 'sign in nearly':
      return sessions.signInNearly(sequence)
    case 'page tokens':
      return sessions.pageTokens(sequence)
    case 'page logs':
      return pipeline && pageLogs(sequence, pipeline)
    case 'check':
      return checks[command.what](sequence.context)
    case 'page everything':
      return void (await pageThrough(sequence, {
        operation: 'listBackfills',
        path: '/api/backfills',
        plural: 'backfills',
        key: 'id',
      }))
  }
}

/** Creates a block unless its pipeline has one of that name: what a target makes of two is not said (`duplicate-name`). */
async function createOnce(
  sequence: SequenceRun,
  pipeline: Parameters<typeof createBlock>[1],
  block: BlockCreation,
): Promise<void> {
  // A block may be in several pipelines, so a target may keep all by their names, somebody else's too: this is the sequence's.
  const name = `${block.name} ${sequence.prefix}`
  // Of one name and type in two pipelines there may be one block: `pipelines` says "the block is a member of" them.
  const isTaken = sequence.trackedRecords.some(
    ({ kind, home, written, isGone }) =>
      kind === 'block' &&
      !(block.isAgain && isGone) &&
      written.name === name &&
      (home === pipeline || written.type === block.type),
  )
  if (!isTaken) await createBlock(sequence, pipeline, { ...block, name })
}
