import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { ClockOption } from '../engine/clock.ts'
import { createUnderstudy, type Understudy } from '../engine/create-understudy.ts'
import type { Fault } from '../engine/faults/fault.ts'
import type { FaultyVariant } from '../engine/faulty-variant.ts'
import type { UnderstudyOptions } from '../engine/read-options.ts'
import type { StateStorage } from '../engine/state/state-storage.ts'
import { authModeNames } from '../engine/worlds/world-start.ts'
import type { Fixture } from '../factories/fixture-type.ts'
import { trustFixture } from '../factories/given-fixtures.ts'
import { profiles } from '../profiles/index.ts'
import { type AdminAudience, bannerLines } from '../server/banner.ts'
import { createRequestLog } from '../server/request-log.ts'
import { type Serving, serve } from '../server/serve.ts'
import { isError, messageOf } from '../shared/built-ins.ts'
import { defaultHost, defaultPort } from '../shared/default-address.ts'
import * as limits from '../shared/limits.ts'
import { suggest } from '../shared/suggest.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { logState } from './log-state.ts'
import { openPage } from './open-page.ts'
import { clockOption, duration, secret, size, wholeNumber } from './options.ts'
import { createLineWriter } from './output.ts'
import type { ProcessIo } from './process-io.ts'
import { namingFaults, readFaultFile } from './read-faults.ts'
import { isShippedFile, naming, readFixtureFile, versionOf } from './read-fixture.ts'
import { namingScenario, optionsOf, readScenario, shippedScenarios } from './read-scenario.ts'
import { refuseTogether } from './refuse-together.ts'
import { watchFixture } from './watch-fixture.ts'

/** Adds `understudy serve`; the wrong servers are named where the arguments ask for them. */
export async function addCommand(
  program: Command,
  given: readonly string[],
  around: ProcessIo,
): Promise<void> {
  const names = asksForBroken(given) ? Object.keys(await loadFaultyVariants()) : []
  describe(program.command('serve'), names).action(async (flags, command) => {
    if (flags.broken === 'help') return sayBroken(names, around)
    refuseTogether(flags, (name) => command.getOptionValueSource(name) === 'cli')
    await runServe(flags, command.getOptionValueSource('fixture') === 'cli', around)
  })
}

/** Loads the faulty variants, which other commands do without. */
async function loadFaultyVariants(): Promise<Readonly<Record<string, FaultyVariant>>> {
  return (await import('../../contract-tests/mutants/faulty-variants.ts')).faultyVariants
}

/** Says which wrong servers there are. */
function sayBroken(names: readonly string[], { stdout }: ProcessIo): void {
  for (const name of names) stdout.write(`${name}\n`)
}

/** Whether arguments name a wrong server. */
function asksForBroken(given: readonly string[]): boolean {
  return given.some((text) => text.startsWith('--broken'))
}

type ServeFlags = ReturnType<ReturnType<typeof describe>['opts']>

function describe(command: Command, brokenNames: readonly string[]) {
  return command
    .description('answer as the service would, over HTTP')
    .option('--port <number>', 'where to listen; 0 takes a free port', wholeNumber(0, 65_535), defaultPort)
    .addOption(
      new Option('--host <address>', 'which address to listen on')
        .env('UNDERSTUDY_HOST')
        .default(defaultHost),
    )
    .option('--fixture <name>', 'the start state: demo, empty or a file', 'demo')
    .option('--scenario <name>', 'begin so: one of `understudy scenario list`, or a file')
    .addOption(
      new Option('--clock <clock>', 'frozen, system, or how fast it goes, such as 60x')
        .argParser(clockOption)
        .default('system' as ClockOption),
    )
    .option('--open', 'open the page of the server, its panel, in the browser')
    .addOption(new Option('--auth <mode>', 'which credentials are checked').choices(authModeNames))
    .option('--seed <number>', 'what ids and tokens are derived from', wholeNumber(0, 2 ** 31), 1)
    .addOption(new Option('--profile <name>', 'the ways of a real server').choices(Object.keys(profiles)))
    .addOption(
      new Option('--broken <name>', 'be wrong in one way; help lists the ways').argParser((name) =>
        readBroken(name, brokenNames),
      ),
    )
    .option('--latency <milliseconds>', 'how long each reply waits', wholeNumber(0, 600_000), 0)
    .option('--fault <file>', 'what goes wrong in each world: a JSON list of faults')
    .option(
      '--journal <number>',
      'how many requests each world keeps; 0 keeps none',
      wholeNumber(0, 1_000_000),
      limits.journalEntries,
    )
    .option(
      '--journal-bytes <size>',
      'how much memory the journals of all worlds take: bytes, or a size such as 64MB',
      size,
      limits.journalBytes,
    )
    .option('--max-worlds <number>', 'how many worlds there may be', wholeNumber(1, 1_000_000), limits.worlds)
    .option('--world-idle <duration>', 'how long a world may lie idle', duration, '1h')
    .addOption(
      new Option('--admin-token <token>', 'let whoever has it use the admin API, from anywhere')
        .env('UNDERSTUDY_ADMIN_TOKEN')
        .argParser(secret),
    )
    .option('--no-admin', 'no admin API')
    .addOption(
      new Option(
        '--watch [worlds]',
        'load the fixture again when its file changes: into main, or into all worlds',
      )
        .choices(['main', 'all'] as const)
        .preset('main'),
    )
    .option('--state <file>', 'store all worlds in a file, and continue from it after a restart')
    .option(
      '--until-stdin-ends',
      'end when stdin does: with the program that started this, however that ends',
    )
    .option('--quiet', 'no banner and no line per request')
    .option('--json', 'one JSON object per line')
}

function readBroken(name: string, known: readonly string[]): string {
  if (name === 'help' || known.includes(name)) return name
  throw new InvalidArgumentError(
    `There is no such wrong server.${suggest(name, known)} \`understudy serve --broken help\` lists them.`,
  )
}

async function runServe(flags: ServeFlags, isFixtureGiven: boolean, around: ProcessIo): Promise<void> {
  const auth =
    flags.auth ?? (/^(?:1|true)$/i.test(around.env.REQUIRE_USER_AUTHENTICATION ?? '') ? 'login' : 'open')
  const readVersion = flags.watch && (await versionOf(flags.fixture))
  const fixture = await readFixtureFile(flags.fixture)
  // Held right by a test; one that is watched is being written.
  if (isShippedFile(flags.fixture) && !flags.watch) trustFixture(fixture)
  const faultyVariants = await loadFaultyVariants()
  const profile = flags.profile === undefined ? undefined : profiles[flags.profile]
  const faultyVariant = flags.broken === undefined ? undefined : faultyVariants[flags.broken]
  const faults: Fault[] = flags.fault === undefined ? [] : await readFaultFile(flags.fault)
  if (flags.latency > 0) faults.push({ latency: flags.latency })
  const scenario = flags.scenario === undefined ? undefined : await readScenario(flags.scenario)
  if (isFixtureGiven && scenario?.scenario.fixture !== undefined)
    throw new Error(`The scenario ${scenario.name} has records of its own; leave --fixture out.`)
  const { write } = createLineWriter(around, flags.json ? 'json' : 'text')
  const stateLog = logState(flags, write, around)
  const storage = flags.state === undefined ? {} : { storage: await fileStorageOf(flags.state) }
  const given: UnderstudyOptions & { readonly fixture: Fixture } = {
    onStorage: stateLog.listener,
    fixture,
    seed: flags.seed,
    clock: flags.clock,
    scenarios: { ...shippedScenarios, ...(scenario && { [scenario.name]: scenario.scenario }) },
    auth,
    faults,
    journal: {
      entries: flags.journal,
      bytes: flags.journalBytes,
      dropped: () => sayDropped(flags, write),
    },
    worlds: {
      most: flags.maxWorlds,
      idle: flags.worldIdle,
      forgotten: (world, reason) => sayForgotten(flags, world, reason, write),
      limited: (world, leftOut) => sayLimited(flags, world, leftOut, write),
    },
    ...(profile && { profile }),
    ...(faultyVariant && { faultyVariant }),
    profiles,
    faultyVariants,
  }
  const options =
    scenario === undefined
      ? given
      : await namingScenario(scenario.name, () => optionsOf(scenario.scenario, given))
  const create = () => createUnderstudy({ ...storage, ...options })
  const understudy = naming(flags.fixture, () => namingFaults(flags.fault, create))
  await understudy.ready
  const observe = flags.quiet ? {} : { observe: createRequestLog(write, flags.json ? 'json' : 'text') }
  const serving = await serve(understudy, {
    port: flags.port,
    host: flags.host,
    admin: flags.admin && { token: flags.adminToken },
    ...observe,
  }).catch(async (error: unknown) => {
    await understudy.close().catch(() => undefined)
    throw error
  })
  const stop = () => void end(serving, understudy, around)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) around.once(signal, stop)
  if (flags.untilStdinEnds) around.stdin?.once('end', stop).resume()
  reportDefects(around)
  if (flags.json) write(JSON.stringify({ listening: serving.url, auth }))
  else if (!flags.quiet)
    for (const line of await bannerLines(understudy, serving.url, adminOf(flags))) write(line)
  stateLog.begin()
  if (flags.open) openPage(`${serving.url}/`, around)
  const { watch, fixture: name, json, quiet } = flags
  if (readVersion === undefined) return
  watchFixture(name, readVersion, understudy, watch === 'all' ? 'all' : 'main', (event, text) => {
    if (json) write(JSON.stringify({ [event]: name, text }))
    else if (event === 'refused') around.stderr.write(`${text}\n`)
    else if (!quiet) write(text)
  })
}

/** Loaded only with `--state`. */
async function fileStorageOf(path: string): Promise<StateStorage> {
  return (await import('../storage/file.ts')).fileStorage(path)
}

/** Ends the server: answers the requests in flight, and saves what they have changed. */
async function end(serving: Serving, understudy: Understudy, around: ProcessIo): Promise<void> {
  await serving.close()
  try {
    await understudy.close()
    around.exit(0)
  } catch (error) {
    around.stderr.write(`${error instanceof UnderstudyError ? error.detail : messageOf(error)}\n`)
    around.exit(1)
  }
}

/** What nobody has caught is a defect of ours: it is said, and others are served on. */
function reportDefects(around: ProcessIo): void {
  const report = (error: unknown) =>
    void around.stderr.write(
      `A defect of pipeline-understudy: ${isError(error) ? error.stack : String(error)}\n`,
    )
  around.on('uncaughtException', report)
  around.on('unhandledRejection', report)
}

/** Whom the admin API answers. */
function adminOf({ admin, adminToken }: ServeFlags): AdminAudience {
  if (!admin) return 'nobody'
  return adminToken === undefined ? 'this machine' : 'token'
}

/** Says once that the journals have reached their bound. */
function sayDropped({ json, quiet, journalBytes: bytes }: ServeFlags, write: (line: string) => void): void {
  const text = `The journals have reached ${bytes} bytes and drop their oldest requests; --journal-bytes gives them more.`
  if (json) write(JSON.stringify({ journal: 'dropping', bytes, text }))
  else if (!quiet) write(text)
}

/** Says that more was due in one step of a clock than happens in one. */
function sayLimited(
  { json, quiet }: ServeFlags,
  world: string,
  leftOut: Readonly<Record<string, number>>,
  write: (line: string) => void,
): void {
  const counts = Object.entries(leftOut).map(([plural, count]) => `${count} ${plural}`)
  const text = `More was due in one step of the clock of ${world} than happens in one: it was left out for ${counts.join(', ')}. Take shorter steps.`
  if (json) write(JSON.stringify({ limited: world, leftOut, text }))
  else if (!quiet) write(text)
}

function sayForgotten(
  { json, quiet }: ServeFlags,
  world: string,
  reason: string,
  write: (line: string) => void,
): void {
  if (json) write(JSON.stringify({ forgotten: world, reason }))
  else if (!quiet) write(`Forgot the world ${world}: ${reason}.`)
}
