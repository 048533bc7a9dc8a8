import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { cleanUp } from '../runner/clean-up.ts'
import { CleanupLog, readCleanupLog } from '../runner/cleanup-log.ts'
import type { Client } from '../runner/client.ts'
import { pipelinesLeft } from '../runner/left-behind.ts'
import { carriesName, type RunId } from '../runner/run-id.ts'

/**
 * The folder of the cleanup logs of this user: a run deletes the records that they list, so nobody else may write there.
 *
 * @throws if it cannot create the folder, or others have access to it.
 */
function cleanupLogFolder(temporary = tmpdir()): string {
  const folder = join(temporary, `understudy-cleanup-logs-${userInfo().username}`)
  const found = (what: string) =>
    new Error(
      `[understudy] Expected ${folder} to be a private folder for the cleanup logs of what is created; found ${what}. Set TMPDIR to a folder that only you can write to.`,
    )
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    throw found(`that it cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
  const stats = lstatSync(folder)
  if (!stats.isDirectory()) throw found('something else')
  // Windows has neither owners nor modes of this kind.
  if (process.getuid === undefined) return folder
  if (stats.uid !== process.getuid()) throw found('one of another user')
  if ((stats.mode & 0o077) !== 0) throw found(`the mode ${(stats.mode & 0o777).toString(8)} instead of 700`)
  return folder
}

/** Creates a missing folder, but no parent: below /proc, Node would try that forever. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** The cleanup log of a run against a target; it creates its file with the first record. */
export function openCleanupLog(target: string, { run, prefix }: RunId, temporary?: string): CleanupLog {
  const header = { run, target, prefix, pid: process.pid, started: startOf(process.pid) ?? '' }
  return new CleanupLog(header, join(cleanupLogFolder(temporary), `${digest(target)}.${run}.cleanupLog`))
}

/** The records that other runs have left on a target. */
export interface Leftovers {
  /** The cleanup logs of runs that have ended without deleting everything. */
  readonly ended: readonly CleanupLog[]
  /** Messages about unreadable cleanup logs, with their new places. */
  readonly notes: readonly string[]
}

/** Finds what earlier runs have left on a target: those whose process is still there are at work and none of ours. */
export function leftovers(target: string, temporary?: string): Leftovers {
  const folder = cleanupLogFolder(temporary)
  const files = readdirSync(folder).filter(
    (file) => file.startsWith(`${digest(target)}.`) && file.endsWith('.cleanupLog'),
  )
  const notes: string[] = []
  const ended = files.flatMap((file) => {
    const path = join(folder, file)
    try {
      const cleanupLog = readCleanupLog(path)
      // Another URL may have the same digest, and a file another name.
      if (cleanupLog.header?.target !== target) throw new Error('it is of another target')
      return isAtWork(cleanupLog) ? [] : [cleanupLog]
    } catch (error) {
      // The run may have ended meanwhile.
      if (!existsSync(path)) return []
      const aside = freeName(`${path}.broken`)
      renameSync(path, aside)
      const reason = error instanceof z.ZodError ? error.issues[0]?.message : messageOf(error)
      notes.push(
        `A cleanup log is invalid (${reason}). Its records were not deleted, and the file was renamed to ${aside}`,
      )
      return []
    }
  })
  return { ended, notes }
}

/** The name, or the name with a number: earlier files that were set aside stay. */
function freeName(path: string): string {
  let name = path
  for (let number = 2; lstatSync(name, { throwIfNoEntry: false }) !== undefined; number++)
    name = `${path}-${number}`
  return name
}

/** Deletes the remaining records of earlier runs, as far as the options allow; returns the paths of the rest. */
export async function cleanLeftovers(
  { ended }: Leftovers,
  client: Client,
  useConventions: boolean,
): Promise<string[]> {
  for (const cleanupLog of ended) {
    const prefix = cleanupLog.header?.prefix ?? ''
    // A pipeline without the name of its run may belong to others by now.
    for (const uuid of cleanupLog.pipelines) if (!carriesName(uuid, prefix)) cleanupLog.gone(uuid)
    await cleanUp(client, cleanupLog, { useConventions, prefix })
  }
  const left = await pipelinesLeft(
    client,
    ended.flatMap(({ pipelines }) => pipelines),
  )
  return left.map(({ path }) => path)
}

function isAtWork({ header }: CleanupLog): boolean {
  if (header === undefined) return false
  const started = startOf(header.pid)
  return started !== undefined && started === header.started
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The start time of a process, which distinguishes it from a later one with the same number. Undefined if it does not run. */
function startOf(pid: number): string | undefined {
  try {
    // The name of a process may hold blanks and brackets; what follows it does not.
    const [, rest = ''] = /\)\s(.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return rest.split(' ')[19] ?? ''
  } catch {
    try {
      process.kill(pid, 0)
      return ''
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM' ? '' : undefined
    }
  }
}

function digest(target: string): string {
  return createHash('sha256').update(target).digest('hex').slice(0, 12)
}
