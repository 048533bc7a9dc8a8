import { randomUUID } from 'node:crypto'
import { constants, readFileSync, readlinkSync, unlinkSync } from 'node:fs'
import { link, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { hostname, uptime } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { StorageError } from '../engine/state/storage-error.ts'
import { isError } from '../shared/built-ins.ts'

/** How often an owner says that it is alive, and how long one that cannot be asked may be silent, in milliseconds. */
const beat = { every: 2_000, silence: 10_000 }

/** How what stands beside a state is read, and the state again: a pipe that somebody has put there would let its reader wait for ever. */
export const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Who holds a lock. */
interface LockOwner {
  /** The lock's own: no other lock has it. */
  readonly id: string
  readonly pid: number
  /** When the process began, as its system counts: another process may have its number later. */
  readonly began: string | undefined
  /** The host, and where there is such a thing, its start and the container. */
  readonly machine: string
  readonly since: string
}

/** A file beside another that says who uses that. One whose owner is dead is taken over. */
export class FileLock {
  readonly #path: string
  readonly #name: string
  readonly #text: string
  #isHeld = false
  #timer: ReturnType<typeof setInterval> | undefined

  /** @param name what is locked, as its user calls it. */
  constructor(file: string, name: string) {
    this.#path = `${file}.lock`
    this.#name = name
    const { pid } = process
    const owner: LockOwner = {
      id: randomUUID(),
      pid,
      began: beginOf(pid),
      machine,
      since: new Date().toISOString(),
    }
    this.#text = `${JSON.stringify(owner)}\n`
  }

  /**
   * Takes the lock, unless this has it. Returns whether its last owner was killed over it.
   *
   * @param waits told where its owner is given time to show that it is alive.
   * @throws where somebody else has it, or it cannot be written.
   */
  async take(waits: (text: string) => void = () => undefined): Promise<boolean> {
    let wasKilled = false
    if (this.#isHeld && (await this.#look()) === this.#text) return wasKilled
    this.#drop()
    for (let attempt = 0; attempt < 10; attempt++) {
      const found = await this.#look()
      if (found === undefined) {
        if (await this.#create()) {
          this.#hold()
          return wasKilled
        }
      } else if (await isAlive(this.#path, found, () => waits(this.#waitFor(found)))) throw this.#inUse(found)
      else {
        await this.#remove(found)
        wasKilled = true
      }
    }
    throw this.#inUse(await this.#look())
  }

  async release(): Promise<void> {
    const wasHeld = this.#isHeld
    this.#drop()
    if (wasHeld && (await this.#look()) === this.#text) await unlink(this.#path).catch(() => undefined)
  }

  #hold(): void {
    this.#isHeld = true
    held.add(this.#path)
    // Who exits before everything is kept leaves the lock behind, as who is killed does.
    process.off('beforeExit', releaseAll).once('beforeExit', releaseAll)
    this.#timer = setInterval(() => {
      const now = new Date()
      utimes(this.#path, now, now).catch(() => undefined)
    }, beat.every)
    this.#timer.unref()
  }

  #drop(): void {
    clearInterval(this.#timer)
    this.#isHeld = false
    held.delete(this.#path)
  }

  /** What the lock says; `undefined` where there is none. */
  async #look(): Promise<string | undefined> {
    try {
      return await readLock(this.#path)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  /** Makes the lock with all it says, at once; false where somebody else was sooner. */
  async #create(): Promise<boolean> {
    const draft = `${this.#path}.${randomUUID()}`
    await writeFile(draft, this.#text, { flag: 'wx', mode: 0o600 })
    try {
      await link(draft, this.#path)
      return true
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      // Not every file system has links.
      return await writeFile(this.#path, this.#text, { flag: 'wx', mode: 0o600 }).then(
        () => true,
        (second) => {
          if (codeOf(second) === 'EEXIST') return false
          throw second
        },
      )
    } finally {
      await unlink(draft).catch(() => undefined)
    }
  }

  /** Takes a lock away whose owner is dead; where it was another's meanwhile, that is put back. */
  async #remove(dead: string): Promise<void> {
    const removed = `${this.#path}.${randomUUID()}`
    try {
      await rename(this.#path, removed)
    } catch (error) {
      if (isMissing(error)) return
      throw error
    }
    if ((await readLock(removed)) !== dead) await link(removed, this.#path).catch(() => undefined)
    await unlink(removed)
  }

  #waitFor(found: string): string {
    return `${this.#name} may be used by ${describeOwner(found)}, which has ${beat.silence / 1_000} seconds to show that it is alive. (${this.#path} says so.)`
  }

  #inUse(found: string | undefined): StorageError {
    const who = describeOwner(found)
    return new StorageError(
      'STATE_IN_USE',
      `${this.#name} is used by ${who}. Stop that, or choose another file. (${this.#path} says so.)`,
    )
  }
}

function readLock(path: string): Promise<string> {
  return readFile(path, { encoding: 'utf8', flag: withoutWaiting })
}

/** The locks of this process, which are gone when it is. */
const held = new Set<string>()

function releaseAll(): void {
  for (const path of held) {
    try {
      unlinkSync(path)
    } catch {
      // It is taken over by whoever comes next.
    }
  }
}

/** Whether the owner of a lock is alive; of one that cannot be asked, whether it says so within a while. */
async function isAlive(path: string, text: string, waits: () => void): Promise<boolean> {
  const owner = readOwner(text)
  if (owner?.machine === machine) return isRunning(owner)
  waits()
  const before = await timeOf(path)
  for (let waited = 0; waited < beat.silence; waited += 500) {
    await sleep(500)
    if ((await timeOf(path)) !== before) return true
  }
  return false
}

function describeOwner(found: string | undefined): string {
  const owner = found === undefined ? undefined : readOwner(found)
  if (owner === undefined) return 'another process'
  return `process ${owner.pid} on ${owner.machine.split(' ')[0]}, since ${owner.since}`
}

async function timeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs
}

function isRunning({ pid, began, since }: LockOwner): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // One of another user is there, and may not be asked.
    if (codeOf(error) !== 'EPERM') return false
  }
  const now = beginOf(pid)
  if (now !== undefined && began !== undefined) return now === began
  return Date.parse(since) > Date.now() - uptime() * 1_000
}

function readOwner(text: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(text) as Partial<LockOwner> | null
    const isOwner = Number.isSafeInteger(owner?.pid) && owner!.pid! > 0 && typeof owner?.machine === 'string'
    return isOwner ? ({ since: '', id: '', ...owner } as LockOwner) : undefined
  } catch {
    return undefined
  }
}

/** When a process began, in ticks since the start of its system; `undefined` where that cannot be told. */
function beginOf(pid: number): string | undefined {
  const text = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19]
}

function attempt(read: () => string): string | undefined {
  try {
    return read().trim()
  } catch {
    return undefined
  }
}

/** What tells the processes that can be asked for by their number from those that cannot. */
const machine = [
  hostname(),
  attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
  attempt(() => readlinkSync('/proc/self/ns/pid')),
]
  .filter((part) => part !== undefined)
  .join(' ')

/** The code of an error of the system. */
export function codeOf(error: unknown): string | undefined {
  return isError(error) && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT'
}
