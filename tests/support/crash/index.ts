import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mustStart, type StateServer, startServer } from './state-server.ts'
import { Tester } from './tester.ts'

export interface CrashOptions {
  /** The command. */
  readonly cli: string
  /** A folder for the files of this row alone. */
  readonly folder: string
  /** Numbers from 0 to below 1: the same ones each time. */
  readonly random: () => number
  readonly times: number
  readonly worlds: number
}

/** What has come of a row: what is wrong, and what was seen. */
export interface CrashResult {
  readonly flaws: readonly string[]
  readonly seen: string
}

const fixture = { pipelines: [{ name: 'common' }] }

function prepare({ folder }: CrashOptions): { file: string; flags: string[] } {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'fixture.json'), JSON.stringify(fixture))
  return { file: join(folder, 'state.json'), flags: ['--fixture', join(folder, 'fixture.json')] }
}

const namesOf = (count: number) => Array.from({ length: count }, (_, index) => `tester-${index + 1}`)

/** Lets testers act, so many at once, until the server is gone or it is over. */
async function load(testers: readonly Tester[], url: string, isOver: () => boolean): Promise<string[]> {
  const flaws: string[] = []
  const free = [...testers]
  await Promise.all(
    Array.from({ length: Math.min(16, testers.length) }, async () => {
      while (!isOver()) {
        const tester = free.shift()
        if (tester === undefined) return
        // A connection that breaks off is what is expected; each tester has one request under way at most.
        const flaw = await tester.act(url).catch(() => undefined)
        if (flaw !== undefined) flaws.push(flaw)
        free.push(tester)
      }
    }),
  )
  return flaws
}

/** Kills the server at random moments under load from many worlds: nothing but the last moment may be missing. */
async function kill(options: CrashOptions): Promise<CrashResult> {
  const { cli, random, times, worlds } = options
  const { file, flags } = prepare(options)
  const testers = namesOf(worlds).map((name) => new Tester(name, random))
  const flaws: string[] = []
  const missing: number[] = []
  /** How long the machine itself took for a small write, at most, in each round. */
  const slowest: number[] = []
  const begunAt = Date.now()
  let killedAt = begunAt
  for (let round = 0; round <= times; round++) {
    const server = await mustStart(cli, file, flags)
    // One that was killed before its first write was done has left nothing: then all is missing since the beginning.
    const loaded = await server.hears('begun', 'loaded')
    const savedAt = loaded.savedAt === undefined ? begunAt : Date.parse(loaded.savedAt)
    for (const { state, text } of server.said) {
      if (state !== 'loaded' && state !== 'begun') flaws.push(`round ${round}: ${text}`)
    }
    let oldest: number | undefined
    for (const tester of testers) {
      const { flaw, missingSince } = await tester.check(server.url, savedAt)
      if (flaw !== undefined) flaws.push(`round ${round}: ${flaw}`)
      if (missingSince !== undefined) oldest = Math.min(oldest ?? missingSince, missingSince)
    }
    if (round > 0) missing.push(oldest === undefined ? 0 : killedAt - oldest)
    if (round === times) {
      await server.end('SIGTERM')
      break
    }
    let isOver = false
    const probe = watchMachine(join(options.folder, 'probe'))
    const loading = load(testers, server.url, () => isOver)
    await sleep(100 + random() * 2_000)
    isOver = true
    killedAt = Date.now()
    await server.end('SIGKILL')
    slowest.push(await probe())
    flaws.push(...(await loading).map((flaw) => `round ${round}: ${flaw}`))
  }
  for (const [round, time] of missing.entries()) {
    const slow = slowest[round] ?? 0
    if (time > 1_000 + slow) {
      flaws.push(`round ${round}: changes of ${time} ms before the kill are missing; a write took ${slow} ms`)
    }
  }
  const sorted = missing.toSorted((one, other) => one - other)
  const most = sorted.at(-1) ?? 0
  const slow = Math.max(0, ...slowest)
  return {
    flaws,
    seen: `${worlds} worlds; missing: ${sorted[sorted.length >> 1] ?? 0} ms in the middle, ${most} ms at most, where a small write took up to ${slow} ms`,
  }
}

/** Writes a few bytes again and again; what it returns ends that, and says how late the slowest was done, in milliseconds. */
function watchMachine(path: string): () => Promise<number> {
  let isOver = false
  let slowest = 0
  const watching = (async () => {
    while (!isOver) {
      const begin = performance.now()
      await sleep(50)
      const handle = await open(path, 'w')
      await handle.write('a few bytes')
      await handle.sync()
      await handle.close()
      slowest = Math.max(slowest, performance.now() - begin - 50)
    }
  })()
  return async () => {
    isOver = true
    await watching
    return Math.round(slowest)
  }
}

/** Flips bits of the file, or cuts it: each is set aside as it is, and the fixture is used. */
async function damage(options: CrashOptions): Promise<CrashResult> {
  const { cli, random, times, worlds } = options
  const { file, flags } = prepare(options)
  const server = await mustStart(cli, file, flags)
  const testers = namesOf(worlds).map((name) => new Tester(name, random))
  for (const tester of testers) for (let count = 0; count < 5; count++) await tester.act(server.url)
  await server.end('SIGTERM')
  const whole = readFileSync(file)
  const flaws: string[] = []
  for (let round = 0; round < times; round++) {
    const damaged =
      round % 2 === 0 ? flip(whole, random) : whole.subarray(0, Math.floor(random() * whole.length))
    for (const name of readdirSync(dirname(file))) {
      if (name.startsWith(basename(file))) rmSync(join(dirname(file), name))
    }
    writeFileSync(file, damaged)
    const flaw = await startOnDamaged(cli, file, flags, damaged)
    if (flaw !== undefined) flaws.push(`round ${round}: ${flaw}`)
  }
  return {
    flaws,
    seen: `${times - (times >> 1)} times flipped, ${times >> 1} times cut, of ${whole.length} bytes`,
  }
}

function flip(whole: Buffer, random: () => number): Buffer {
  const flipped = Buffer.from(whole)
  const bit = Math.floor(random() * 8 * whole.length)
  flipped[bit >> 3]! ^= 1 << (bit & 7)
  return flipped
}

async function startOnDamaged(
  cli: string,
  file: string,
  flags: readonly string[],
  damaged: Buffer,
): Promise<string | undefined> {
  const server = await startServer(cli, file, flags)
  if (!('url' in server)) return `it does not start: ${server.complaint}`
  await server.hears('set aside').catch(() => undefined)
  const worlds = (await (await fetch(`${server.url}/__understudy__/api/worlds`)).json()) as {
    worlds: unknown[]
  }
  await server.end('SIGTERM')
  if (server.said[0]?.state !== 'set aside') return `it said ${JSON.stringify(server.said)}`
  if (worlds.worlds.length !== 1) return `${worlds.worlds.length} worlds of a damaged file`
  const aside = readdirSync(dirname(file)).find((name) => /\.(torn|damaged|invalid)-/.test(name))
  if (aside === undefined) return 'the damaged file is gone'
  return readFileSync(join(dirname(file), aside)).equals(damaged) ? undefined : 'the damaged file was changed'
}

/** How a disk takes nothing more, and then something again. */
interface FullDisk {
  readonly name: string
  fill(server: StateServer, file: string): void
  free(server: StateServer, file: string): void
}

/** The limit of the process for the size of a file, which needs no rights: what is written beyond it fails. */
const sizeLimit: FullDisk = {
  name: 'RLIMIT_FSIZE',
  fill: ({ process }) => setLimit(process.pid!, '300:'),
  free: ({ process }) => setLimit(process.pid!, 'unlimited:'),
}

/** A folder where the file would be written: no user can write there. */
const folderInTheWay: FullDisk = {
  name: 'a folder in the way',
  fill: (_, file) => mkdirSync(`${file}.tmp`),
  free: (_, file) => rmdirSync(`${file}.tmp`),
}

function setLimit(pid: number, limit: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${limit}`], { stdio: 'ignore' })
}

function canSetLimits(): boolean {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return process.platform === 'linux'
  } catch {
    return false
  }
}

/** Fills the disk while testers go on: nothing fails but the keeping, which is said once and caught up with. */
async function fillDisk(options: CrashOptions): Promise<CrashResult> {
  const { cli, random, worlds } = options
  const { file, flags } = prepare(options)
  const disk = canSetLimits() ? sizeLimit : folderInTheWay
  const testers = namesOf(worlds).map((name) => new Tester(name, random))
  const flaws: string[] = []
  // Long enough for each world to be written to.
  const long = Math.min(300, worlds * 10)
  const loadFor = async (url: string, milliseconds: number) => {
    const end = Date.now() + milliseconds
    flaws.push(...(await load(testers, url, () => Date.now() > end)))
  }
  const server = await mustStart(cli, file, flags)
  await loadFor(server.url, long)
  await sleep(1_200)
  const before = readFileSync(file)
  disk.fill(server, file)
  await loadFor(server.url, long)
  await server.hears('failed')
  await sleep(1_200)
  if (server.said.filter(({ state }) => state === 'failed').length !== 1) flaws.push('it was not said once')
  if (!readFileSync(file).equals(before)) flaws.push('what was kept before is gone')
  disk.free(server, file)
  await server.hears('recovered')
  const code = await server.end('SIGTERM')
  if (code !== 0) flaws.push(`it ended with ${code}`)

  const next = await mustStart(cli, file, flags)
  for (const tester of testers) {
    const { flaw } = await tester.check(next.url, Date.now())
    if (flaw !== undefined) flaws.push(flaw)
  }
  // Where it never has room again, the last file stays, and the exit code says so.
  await sleep(100)
  const last = readFileSync(file)
  disk.fill(next, file)
  await loadFor(next.url, long)
  const failure = await next.end('SIGTERM')
  if (failure !== 1) flaws.push(`it ended with ${failure} although the last changes were lost`)
  if (!readFileSync(file).equals(last)) flaws.push('the last file is gone')
  return { flaws, seen: `by ${disk.name}` }
}

/** Starts two servers on one file, at once and one after the other: one serves. */
async function startTwo(options: CrashOptions): Promise<CrashResult> {
  const { cli, times } = options
  const { file, flags } = prepare(options)
  const flaws: string[] = []
  for (let round = 0; round < times; round++) {
    const both = await Promise.all([startServer(cli, file, flags), startServer(cli, file, flags)])
    const serving = both.flatMap((server) => ('url' in server ? [server] : []))
    const refused = both.flatMap((server) => ('url' in server ? [] : [server]))
    if (serving.length !== 1) flaws.push(`round ${round}: ${serving.length} serve`)
    for (const { code, complaint } of refused) {
      const pid = serving[0]?.process.pid
      if (code !== 1 || !complaint.includes(`is used by process ${pid} on `)) {
        flaws.push(`round ${round}: refused with ${code}: ${complaint}`)
      }
    }
    // Every other time the lock stays behind, of a process that is dead.
    for (const server of serving) await server.end(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM')
  }
  return { flaws, seen: 'one of two serves, also over the lock of a dead one' }
}

/** What is done to a state, by name. */
export const crashes: Readonly<Record<string, (options: CrashOptions) => Promise<CrashResult>>> = {
  'kill -9 at random moments under load': kill,
  'bits flipped, and cut': damage,
  'full disk': fillDisk,
  'two servers on one file': startTwo,
}
