import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { faultyVariants } from '../../contract-tests/mutants/faulty-variants.ts'
import type { ClockOption } from '../engine/clock.ts'
import { authModeNames } from '../engine/worlds/world-settings.ts'
import { profiles } from '../profiles/index.ts'
import { adminPath, defaultHost, defaultPort } from '../shared/addresses.ts'
import * as limits from '../shared/limits.ts'
import { suggest } from '../shared/suggest.ts'
import { clockOption, duration, secret, size, wholeNumber } from './options.ts'
import { isShipped } from './read-fixture.ts'

/** Adds the flags of `understudy serve`. */
export function describeServe(command: Command) {
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
        .default<ClockOption>('system'),
    )
    .option('--open', 'open the page of the server, its panel, in the browser')
    .addOption(new Option('--auth <mode>', 'which credentials are checked').choices(authModeNames))
    .option('--seed <number>', 'what ids and tokens are derived from', wholeNumber(0, 2 ** 31), 1)
    .addOption(new Option('--profile <name>', 'the ways of a real server').choices(Object.keys(profiles)))
    .addOption(
      new Option('--broken <name>', 'be wrong in one way; help lists the ways').argParser(readBroken),
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

/** The flags of `understudy serve`, as they were given. */
export type ServeFlags = ReturnType<ReturnType<typeof describeServe>['opts']>

function readBroken(name: string): string {
  if (name === 'help' || Object.hasOwn(faultyVariants, name)) return name
  const known = Object.keys(faultyVariants)
  throw new InvalidArgumentError(
    `There is no such wrong server.${suggest(name, known)} \`understudy serve --broken help\` lists them.`,
  )
}

/**
 * Refuses flags of which one would do nothing, or contradict another.
 *
 * @param isGiven whether a flag was typed.
 */
export function refuseConflicts(flags: ServeFlags, isGiven: (name: keyof ServeFlags) => boolean): void {
  const { scenario, state, watch, fixture, admin, adminToken, journal } = flags
  if (scenario !== undefined && state !== undefined)
    throw new Error(
      `--scenario ${scenario} and --state ${state} both say what worlds begin with: a state goes on, a scenario begins anew. Leave --scenario out, and start it on the page of the server or with POST ${adminPath}/worlds/main/scenarios/NAME/start; or leave --state out.`,
    )
  if (watch !== undefined && isShipped(fixture))
    throw new Error(
      `--watch loads a file again, and ${fixture} ships with the package. Write one by \`understudy fixture new my.json\`, and serve it: --fixture my.json --watch.`,
    )
  if (!admin && adminToken !== undefined)
    throw new Error(
      '--admin-token says who may use the admin API, and --no-admin turns it off. Leave one of them out.',
    )
  if (journal === 0 && isGiven('journalBytes'))
    throw new Error('--journal-bytes bounds the journals, and --journal 0 keeps none. Leave one of them out.')
}
