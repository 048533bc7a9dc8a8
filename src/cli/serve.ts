import type { Command } from '@commander-js/extra-typings'
import { faultyVariants } from '../../contract-tests/mutants/faulty-variants.ts'
import { createUnderstudy, type Understudy } from '../engine/create-understudy.ts'
import { type Fault, readFaults } from '../engine/faults/fault.ts'
import type { UnderstudyOptions } from '../engine/read-options.ts'
import type { StateStorage } from '../engine/state/state-storage.ts'
import type { Fixture } from '../factories/fixture-type.ts'
import { readJsonFile } from '../files/read-file.ts'
import { profiles } from '../profiles/index.ts'
import { bannerLines } from '../server/banner.ts'
import { createRequestLog } from '../server/request-log.ts'
import { type Serving, serve } from '../server/serve.ts'
import { isError } from '../shared/built-ins.ts'
import { reasonOf } from '../shared/understudy-error.ts'
import { loadAtFirstVisit } from './load-at-first-visit.ts'
import { logState } from './log-state.ts'
import { naming } from './naming.ts'
import { createServerLog, print, printError, type ServerLog } from './output.ts'
import type { ProcessIo } from './process-io.ts'
import { readFixtureFile } from './read-fixture.ts'
import { optionsOf, readScenario, shippedScenarios } from './read-scenario.ts'
import { describeServe, refuseConflicts, type ServeFlags } from './serve-flags.ts'
import { startWatch, watchFixture } from './watch-fixture.ts'

/** Adds the command `serve` to the program. */
export function addCommand(program: Command, io: ProcessIo): void {
  describeServe(program.command('serve')).action(async (flags, command) => {
    const isGiven = (name: keyof ServeFlags) => command.getOptionValueSource(name) === 'cli'
    if (flags.broken === 'help') {
      print(io, Object.keys(faultyVariants).join('\n'))
      return
    }
    refuseConflicts(flags, isGiven)
    await runServe(flags, isGiven('fixture'), io)
  })
}

async function runServe(flags: ServeFlags, isFixtureGiven: boolean, io: ProcessIo): Promise<void> {
  const watched = flags.watch && (await startWatch(flags.fixture))
  const log = createServerLog(io, flags)
  const stateLog = logState(log, flags.state)
  const storage = flags.state === undefined ? {} : { storage: await fileStorageOf(flags.state) }
  const options = await readOptions(flags, isFixtureGiven, io, log)
  const understudy = await naming({ fixture: flags.fixture, faults: flags.fault }, () =>
    createUnderstudy({ ...storage, onStorage: stateLog.listener, ...options }),
  )
  await understudy.ready
  const admin = flags.admin && { token: flags.adminToken }
  const serving = await serve(understudy, {
    port: flags.port,
    host: flags.host,
    admin,
    ...(!flags.quiet && { observe: createRequestLog(log.writeEscaped, log.format) }),
  }).catch(async (error: unknown) => {
    await understudy.close().catch(() => undefined)
    throw error
  })
  const hasOwnState = flags.state !== undefined || flags.scenario !== undefined
  if (flags.fixture === 'demo' && !hasOwnState && understudy.clock.speed() > 0)
    loadAtFirstVisit(serving.server, understudy, options.fixture)
  const stop = () => void end(serving, understudy, io)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) io.once(signal, stop)
  if (flags.untilStdinEnds) io.stdin?.once('end', stop).resume()
  reportDefects(io)
  if (flags.json) log.write(JSON.stringify({ listening: serving.url, auth: options.auth }))
  else if (!flags.quiet)
    for (const line of await bannerLines(understudy, serving.url, admin, unusualSettings(flags)))
      log.write(line)
  stateLog.begin()
  if (watched === undefined) return
  watchFixture(watched, understudy, (event, text) =>
    log.event({ [event]: flags.fixture, text }, text, event === 'refused' ? 'warning' : 'info'),
  )
}

/** Reads the files that the flags name, and returns the options of the understudy. */
async function readOptions(
  flags: ServeFlags,
  isFixtureGiven: boolean,
  { env }: ProcessIo,
  log: ServerLog,
): Promise<UnderstudyOptions & { readonly fixture: Fixture }> {
  const fixture = readFixtureFile(flags.fixture)
  const profile = flags.profile === undefined ? undefined : profiles[flags.profile]
  const faultyVariant = flags.broken === undefined ? undefined : faultyVariants[flags.broken]
  const faults = flags.fault === undefined ? [] : await readFaultFile(flags.fault)
  if (flags.latency > 0) faults.push({ latency: flags.latency })
  const options: UnderstudyOptions & { readonly fixture: Fixture } = {
    fixture,
    seed: flags.seed,
    clock: flags.clock,
    auth: flags.auth ?? (/^(?:1|true)$/i.test(env.REQUIRE_USER_AUTHENTICATION ?? '') ? 'login' : 'open'),
    faults,
    journal: {
      entries: flags.journal,
      bytes: flags.journalBytes,
      dropped: () => logDropped(log, flags.journalBytes),
    },
    ...(flags.maxMemory !== undefined && { maxMemory: flags.maxMemory }),
    worlds: {
      most: flags.maxWorlds,
      idle: flags.worldIdle,
      evicted: (world, reason) => log.event({ evicted: world, reason }, `Removed world ${world}: ${reason}.`),
      limited: (world, leftOut) => logLimited(log, world, leftOut),
    },
    ...(profile && { profile }),
    ...(faultyVariant && { faultyVariant }),
    profiles,
    faultyVariants,
    scenarios: shippedScenarios,
  }
  if (flags.scenario === undefined) return options
  const { name, scenario } = readScenario(flags.scenario)
  if (isFixtureGiven && scenario.fixture !== undefined)
    throw new Error(`The scenario ${name} has its own records. Omit --fixture.`)
  const scenarios = { ...shippedScenarios, [name]: scenario }
  return naming({ scenario: flags.scenario }, () => optionsOf(scenario, { ...options, scenarios }))
}

async function readFaultFile(name: string): Promise<Fault[]> {
  const given = readJsonFile(name, `the faults ${name}`)
  return naming({ faults: name }, () => readFaults(given))
}

/** Loaded only with `--state`. */
async function fileStorageOf(path: string): Promise<StateStorage> {
  return (await import('../storage/file.ts')).fileStorage(path)
}

/** Ends the server: answers requests in flight and saves their changes. */
async function end(serving: Serving, understudy: Understudy, io: ProcessIo): Promise<void> {
  await serving.close()
  let status = 0
  try {
    await understudy.close()
  } catch (error) {
    printError(io, reasonOf(error))
    status = 1
  }
  // Outside the `try`: `exit` throws in a program that runs several commands.
  io.exit(status)
}

/** Reports uncaught errors, which are defects of this package, and continues to serve. */
function reportDefects(io: ProcessIo): void {
  const report = (error: unknown) => {
    const text = isError(error) ? error.stack : String(error)
    printError(io, `Internal error in pipeline-understudy: ${text}`)
  }
  io.on('uncaughtException', report)
  io.on('unhandledRejection', report)
}

/** Describes the settings that change replies, for the banner. */
function unusualSettings({ profile, broken, latency, clock, scenario, fault }: ServeFlags): string[] {
  const pace = typeof clock === 'string' ? clock : 'speed' in clock ? `${clock.speed}x` : 'custom'
  return [
    ...(profile === undefined ? [] : [`profile  ${profile}`]),
    ...(broken === undefined ? [] : [`broken   ${broken}`]),
    ...(latency === 0 ? [] : [`latency  ${latency} ms`]),
    ...(pace === 'system' ? [] : [`clock    ${pace}`]),
    ...(scenario === undefined ? [] : [`scenario ${scenario}`]),
    ...(fault === undefined ? [] : [`faults   ${fault}`]),
  ]
}

function logDropped(log: ServerLog, bytes: number): void {
  const text = `The request logs reached ${bytes} bytes and drop their oldest requests. Increase --journal-bytes to store more.`
  log.event({ journal: 'dropping', bytes, text }, text)
}

function logLimited(log: ServerLog, world: string, leftOut: Readonly<Record<string, number>>): void {
  const counts = Object.entries(leftOut).map(([plural, count]) => `${count} ${plural}`)
  const text = `One clock step of world ${world} reached the limit of events. Left out: ${counts.join(', ')}. Take shorter steps.`
  log.event({ limited: world, leftOut, text }, text)
}
