// The table of all commands of sequences, by their names.
import { performAtOnce } from './at-once.ts'
import { createBlock, deleteBlock } from './block-commands.ts'
import { readConcurrently } from './concurrent-reads.ts'
import { sendWrongCredentials } from './credential-commands.ts'
import { presentKey } from './key-commands.ts'
import { pageLogs, storeForLogs } from './log-commands.ts'
import { readOtherSchedules } from './other-schedules.ts'
import { listPipelines, readTriggers } from './pipeline-list.ts'
import * as reads from './read-commands.ts'
import * as refusals from './refused-commands.ts'
import { createSchedules, listSchedules, trigger, triggerGiven, triggerWrongly } from './schedule-commands.ts'
import type { SequenceRun } from './sequence-run.ts'
import * as sessions from './session-commands.ts'
import { pageTokens } from './token-commands.ts'
import type { TrackedRecord } from './tracked-records.ts'
import { perform, type Write } from './write.ts'
import * as writes from './write-commands.ts'

/** Converts a function of a record to one of a command, which names the record by its number among the existing ones. */
function on<Kind extends 'pipeline' | 'block' | 'backfill' | 'schedule', Given, Result>(
  kind: Kind,
  run: (sequence: SequenceRun, record: TrackedRecord, given: Given) => Result,
) {
  return (sequence: SequenceRun, given: Given & Readonly<Record<Kind, number>>): Result | undefined => {
    const record = sequence.pick(kind, given[kind])
    return record && run(sequence, record, given)
  }
}

/** The concurrent commands. */
const planned = {
  'create pipeline': writes.createPipeline,
  'create backfill': on('pipeline', writes.createBackfill),
  'update backfill': on('backfill', writes.updateBackfill),
  'delete backfill': on('backfill', writes.deleteBackfill),
  'create block': on('pipeline', createBlock),
  'delete block': on('block', deleteBlock),
  trigger: on('schedule', trigger),
  'request unknown': on('pipeline', refusals.requestUnknown),
}

/** The other commands. */
const actions = {
  'update unlisted': on('backfill', writes.updateUnlisted),
  'delete the rest': writes.deleteRest,
  'send refused': on('pipeline', writes.sendRefused),
  'send malformed': on('pipeline', refusals.sendMalformed),
  'request elsewhere': on('pipeline', refusals.requestElsewhere),
  'send mistyped': on('pipeline', refusals.sendMistyped),
  'send invalid': on('pipeline', refusals.sendInvalid),
  'list backfills': on('pipeline', reads.listPage),
  'filter by similar uuid': on('pipeline', reads.filterBySimilarUuid),
  'read nested list': on('pipeline', reads.readNestedList),
  'list everything': reads.listEverything,
  'list pipelines': listPipelines,
  'read everything again': reads.readAll,
  'read triggers': on('pipeline', readTriggers),
  'read concurrently': on('pipeline', readConcurrently),
  'create schedules': on('pipeline', createSchedules),
  'list schedules': on('pipeline', listSchedules),
  'read other schedules': readOtherSchedules,
  'trigger given': triggerGiven,
  'store for logs': storeForLogs,
  'trigger wrongly': on('schedule', triggerWrongly),
  'send wrong credentials': on('pipeline', sendWrongCredentials),
  'present key': presentKey,
  'sign in': sessions.signIn,
  'sign in wrongly': sessions.signInWrongly,
  'page tokens': pageTokens,
  'page logs': pageLogs,
  'page everything': reads.pageBackfills,
}

/** The commands of functions: the name of a function with its properties. */
type CommandsOf<All> = {
  [Name in keyof All]: All[Name] extends (sequence: SequenceRun, given: infer Given) => unknown
    ? { readonly do: Name } & Given
    : never
}[keyof All]

/** A command to send concurrently with others. */
export type PlannedCommand = CommandsOf<typeof planned>

/** A step of a sequence. */
export type Command =
  | PlannedCommand
  | CommandsOf<typeof actions>
  | { readonly do: 'at once'; readonly commands: readonly PlannedCommand[] }

/** Runs one command. A command about a record that does not exist does nothing. */
export async function runCommand(sequence: SequenceRun, command: Command): Promise<void> {
  if (command.do === 'at once') {
    const all: Write[] = []
    for (const each of command.commands) all.push(...(await plan(sequence, each)))
    await performAtOnce(sequence, all)
  } else if (command.do in planned) {
    for (const write of await plan(sequence, command)) await perform(sequence, write)
  } else {
    // The type of the command follows from the function of this name.
    await (actions[command.do as keyof typeof actions] as Runs<unknown>)(sequence, command)
  }
}

type Runs<Result> = (sequence: SequenceRun, command: Command) => Result | Promise<Result>

async function plan(sequence: SequenceRun, command: Command): Promise<Write[]> {
  // The type of the command follows from the function of this name.
  const write = await (planned[command.do as keyof typeof planned] as Runs<Write | undefined>)(
    sequence,
    command,
  )
  return write ? [write] : []
}
