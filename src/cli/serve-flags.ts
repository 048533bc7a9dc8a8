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

export function describeServe(command: Command) {
  return command
    .description('start the mock server')
    .option('--port <number>', 'port to listen on; 0 picks a free port', wholeNumber(0, 65_535), defaultPort)
    .addOption(
      new Option('--host <address>', 'address to listen on').env('UNDERSTUDY_HOST').default(defaultHost),
    )
    .option('--fixture <name>', 'initial data: demo, empty or a JSON file', 'demo')
    .option('--scenario <name>', 'initial scenario: see `scenario list`, or a file')
    .addOption(
      new Option('--clock <clock>', 'frozen, system, or a speed such as 60x')
        .argParser(clockOption)
        .default<ClockOption>('system'),
    )
    .addOption(new Option('--auth <mode>', 'credentials to require (default: open)').choices(authModeNames))
    .option('--seed <number>', 'seed for generated ids and tokens', wholeNumber(0, 2 ** 31), 1)
    .addOption(
      new Option('--profile <name>', 'emulate a specific real server').choices(Object.keys(profiles)),
    )
    .addOption(
      new Option('--broken <name>', 'simulate a server bug; `help` lists names').argParser(readVariant),
    )
    .option('--latency <milliseconds>', 'delay of each reply', wholeNumber(0, 600_000), 0)
    .option('--fault <file>', 'JSON list of faults to inject in each world')
    .option(
      '--journal <number>',
      'requests logged per world; 0 disables logging',
      wholeNumber(0, 1_000_000),
      limits.journalEntries,
    )
    .addOption(
      new Option('--journal-bytes <size>', 'memory for all request logs, such as 64MB')
        .argParser(size)
        .default(limits.journalBytes, `${limits.journalBytes / 2 ** 20}MB`),
    )
    .option('--max-memory <size>', 'memory for all records, such as 1GB; default: half of the heap', size)
    .option('--max-worlds <number>', 'maximum number of worlds', wholeNumber(1, 1_000_000), limits.worlds)
    .option('--world-idle <duration>', 'remove a world after this idle time', duration, '1h')
    .addOption(
      new Option('--admin-token <token>', 'require this token for the admin API; allow remote use')
        .env('UNDERSTUDY_ADMIN_TOKEN')
        .argParser(secret),
    )
    .option('--no-admin', 'disable the admin API')
    .option('--watch', 'reload the fixture file when it changes')
    .option('--state <file>', 'store worlds in a file; restore after restart')
    .option('--until-stdin-ends', 'exit when standard input closes')
    .option('--quiet', 'print neither banner nor requests')
    .option('--json', 'log one JSON object per line')
}

export type ServeFlags = ReturnType<ReturnType<typeof describeServe>['opts']>

function readVariant(name: string): string {
  if (name === 'help' || Object.hasOwn(faultyVariants, name)) return name
  const known = Object.keys(faultyVariants)
  throw new InvalidArgumentError(
    `There is no such faulty variant.${suggest(name, known)} Run \`pipeline-understudy serve --broken help\` for the list.`,
  )
}

/**
 * Rejects combinations of flags that conflict or have no effect.
 *
 * @param isGiven Returns whether the user gave a flag.
 */
export function refuseConflicts(flags: ServeFlags, isGiven: (name: keyof ServeFlags) => boolean): void {
  const { scenario, state, watch, fixture, admin, adminToken, journal } = flags
  if (scenario !== undefined && state !== undefined)
    throw new Error(
      `--scenario ${scenario} and --state ${state} both set the initial state of worlds. Omit --state; or omit --scenario, and start the scenario in the panel or with POST ${adminPath}/worlds/main/scenarios/NAME/start.`,
    )
  if (watch !== undefined && isShipped(fixture))
    throw new Error(
      `--watch needs a fixture file, and ${fixture} is built in. Create one with \`pipeline-understudy fixture new my.json\`, then use --fixture my.json --watch.`,
    )
  if (!admin && adminToken !== undefined)
    throw new Error('--admin-token protects the admin API, and --no-admin disables it. Omit one of them.')
  if (journal === 0 && isGiven('journalBytes'))
    throw new Error('--journal-bytes limits request logs, and --journal 0 disables them. Omit one of them.')
}
