import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { reportNames } from '../../contract-tests/reports/report-names.ts'
import type { Source, VerifyOptions, VerifyTrafficOptions } from '../../contract-tests/verify/index.ts'
import { profiles } from '../profiles/index.ts'
import { defaultUrl } from '../shared/addresses.ts'
import { refuseApiPath, shownUrl, suggestUrl, withoutTrailingSlashes } from '../shared/urls.ts'
import { isObject } from '../shared/values.ts'
import { namesWithFiles, readPairs, wholeNumber } from './options.ts'
import { readCertificate } from './read-certificate.ts'
import { holdsSecret } from './secret-flags.ts'

/** Milliseconds that a reply may take. */
const defaultTimeout = 10_000

const mostSequences = 1_000_000

/** Additional preconditions of rules, with the form of each value. */
const needForms = { schedule: 'ID:TOKEN', 'other-token': 'TOKEN', 'expired-token': 'TOKEN' }
const needsInWords = Object.entries(needForms)
  .map(([name, form]) => `${name}=${form}`)
  .join(', ')

export function describeVerify(command: Command) {
  return (
    command
      .description('check a server against the API specification')
      .argument('[url...]', 'base URL of the server, without /api, or HAR files with recorded traffic')
      // Other users can read arguments in the process list, but not the environment.
      .addOption(new Option('--api-key <key>', 'valid API key of the server').env('UNDERSTUDY_API_KEY'))
      .addOption(new Option('--email <email>', 'email of the user to sign in as').env('UNDERSTUDY_EMAIL'))
      .addOption(new Option('--password <password>', 'password of that user').env('UNDERSTUDY_PASSWORD'))
      .addOption(
        new Option('--token <token>', 'decoded OAuth token, instead of a user').env('UNDERSTUDY_TOKEN'),
      )
      .option('--ca <file>', 'trusted certificate (PEM) of the server or its authority')
      .option('--read-only', 'send no requests that write')
      .option('--plan', 'print planned requests and leftovers; send nothing')
      .option('--only <glob...>', 'check only matching rules, such as backfill-*')
      .option('--baseline <file>', 'JSON file of known failures with reasons')
      .option('--update-baseline', 'write the deviations of this run into the baseline')
      .option('--report <name=file...>', `write reports: ${reportNames.join(', ')}`, namesWithFiles)
      .option('--reproductions <folder>', 'write a script that reproduces each finding')
      .option('--allow-destructive', 'allow damaging checks and triggering any schedule')
      .option('--use-conventions', 'use undocumented endpoints: create schedules, delete pipelines')
      .option('--timeout <milliseconds>', 'timeout of each request', wholeNumber(1, 600_000), defaultTimeout)
      .option('--delay <milliseconds>', 'minimum time between requests', wholeNumber(0, 60_000))
      .addOption(
        new Option('--need <name=value...>', `provide preconditions: ${needsInWords}`)
          .env('UNDERSTUDY_NEED')
          .argParser(readPairs),
      )
      .option('--prefix <text>', 'name prefix of created records')
      .option(
        '--sequences <number>',
        'number of generated sequences; 0 disables all',
        wholeNumber(0, mostSequences),
      )
      .addOption(
        new Option('--stories <number>', 'old name of --sequences')
          .argParser(wholeNumber(0, mostSequences))
          .hideHelp(),
      )
      .option('--minutes <number>', 'generate sequences for this many minutes', readMinutes)
      .option('--seed <number>', 'seed of generated sequences', wholeNumber(0, 2 ** 31 - 1))
      .option('--concurrency <number>', 'sequences to run concurrently (default: 4)', wholeNumber(1, 64))
      .option('--no-shrink', 'do not minimize failing sequences')
      .addOption(
        new Option(
          '--strict <sources>',
          'also fail on rules from examples, inferred rules, or both',
        ).argParser(readSources),
      )
      .addOption(
        new Option('--expect <auth>', 'credentials that the server should require').choices([
          'open',
          'key',
          'login',
        ]),
      )
      .addOption(
        new Option('--profile <name>', 'with HAR files: the real server that answered').choices(
          Object.keys(profiles),
        ),
      )
      .option('--used-by <file...>', 'HAR files or usage maps of consumers: count only what they use')
      .option('--client', 'with HAR files: also report mistakes of the client')
      .option('--clean', 'only delete records left by interrupted runs')
      .option('--verbose', 'show every selected rule, not only failures')
      .option('--quiet', 'print only the last line of the report')
      .option('--json', 'print the report as JSON, without progress')
  )
}

export type VerifyFlags = ReturnType<ReturnType<typeof describeVerify>['opts']>

/**
 * Converts flags to options of the verifier.
 *
 * @throws if the value of a flag is invalid.
 */
export async function toOptions(url: string | undefined, flags: VerifyFlags): Promise<VerifyOptions> {
  if (url === undefined || !URL.canParse(url) || !/^https?:/.test(url)) {
    const found = url === undefined ? 'nothing.' : `${shownUrl(url)}.${suggestUrl(url)}`
    throw new Error(
      `Expected a base URL such as ${defaultUrl}, or HAR files, which end in .har; found ${found}`,
    )
  }
  if (/[?#]/.test(url))
    throw new Error('Expected a base URL without a query or a fragment. Pass an API key with --api-key.')
  refuseApiPath(url)
  checkUser(flags)
  for (const name of ['profile', 'client'] as const)
    if (flags[name] !== undefined)
      throw new Error(`--${name} applies to HAR files, and not to a server. Omit it.`)
  const { need = {}, ca, report: reports, profile: _, client: __, stories: oldSequences, ...others } = flags
  const unknown = Object.keys(need).find((name) => !Object.hasOwn(needForms, name))
  if (unknown !== undefined)
    throw new Error(
      `Unknown --need ${/^[a-z][a-z-]{0,19}$/.test(unknown) ? unknown : 'name'}. Known: ${needsInWords}.`,
    )
  const [, id, token] = /^(\d+):(.+)$/.exec(need.schedule ?? '') ?? []
  if (need.schedule !== undefined && (id === undefined || token === undefined)) {
    throw new Error('--need schedule: expected ID:TOKEN, such as schedule=12:4f7c….')
  }
  return {
    ...others,
    target: withoutTrailingSlashes(url),
    command: commandLine(shownUrl(url), flags),
    ca: ca === undefined ? undefined : readCertificate(ca),
    reports,
    sequences: flags.sequences ?? oldSequences,
    otherToken: need['other-token'],
    expiredToken: need['expired-token'],
    schedule: id === undefined || token === undefined ? undefined : { id, token },
  }
}

/** Flags that also apply to HAR files, and credentials, which the environment may contain for other runs. */
const trafficFlags = new Set([
  'client', 'only', 'baseline', 'report', 'reproductions', 'strict', 'profile', 'verbose', 'quiet', 'json', 'timeout', 'shrink',
  'apiKey', 'email', 'password', 'token', 'need',
]) // biome-ignore format: a list

/** Returns whether the arguments name files with recorded traffic. */
export function areHarFiles(targets: readonly string[]): boolean {
  return targets.some((target) => /\.har$/i.test(target) && !/^https?:/.test(target))
}

/**
 * Converts flags to options for recorded traffic.
 *
 * @throws if a flag needs a server, or an argument is not a HAR file.
 */
export function toTrafficOptions(files: readonly string[], flags: VerifyFlags): VerifyTrafficOptions {
  const other = files.find((file) => !areHarFiles([file]))
  if (other !== undefined)
    throw new Error(
      `Expected HAR files only; found ${shownUrl(other)}. To check a server for what traffic uses, pass the files to --used-by.`,
    )
  const unfit = Object.entries(flags).find(([name, value]) => value !== undefined && !trafficFlags.has(name))
  if (unfit !== undefined)
    throw new Error(`${flagOf(unfit[0])} applies to a server, and not to HAR files. Omit it.`)
  const { report: reports, ...others } = flags
  return { ...others, files, command: commandLine(files.join(' '), flags), reports }
}

function flagOf(camelCase: string): string {
  return `--${camelCase.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** Writes the command line again, without the values of secret flags. */
function commandLine(url: string, flags: VerifyFlags): string {
  const parts = Object.entries(flags).flatMap(([camelCase, value]) => {
    const flag = flagOf(camelCase)
    if (value === undefined || (flag === '--timeout' && value === defaultTimeout)) return []
    if (flag === '--shrink') return value ? [] : ['--no-shrink']
    if (value === true) return [flag]
    return [flag, holdsSecret(flag.slice(2)) ? '…' : valueText(value)]
  })
  return ['pipeline-understudy verify', url, ...parts].join(' ')
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.join(' ')
  if (!isObject(value)) return String(value)
  return Object.entries(value)
    .map(([name, inner]) => `${name}=${String(inner)}`)
    .join(',')
}

/** Refuses empty or incomplete credentials, such as from an unset variable, which would silently skip rules. */
function checkUser({ apiKey, token, email, password }: VerifyFlags): void {
  const given = { '--api-key': apiKey, '--token': token, '--email': email, '--password': password }
  for (const [flag, value] of Object.entries(given))
    if (value === '') throw new Error(`${flag} is empty. Give it a value, or omit it.`)
  if (email !== undefined && password === undefined) throw new Error('--email requires --password.')
  if (password !== undefined && email === undefined) throw new Error('--password requires --email.')
}

const sources = new Map<string, Source>([
  ['examples', 'example'],
  ['inferred', 'inferred'],
])

function readSources(text: string): Source[] {
  return text.split(',').map((name) => {
    const source = sources.get(name)
    if (source === undefined)
      throw new InvalidArgumentError('Expected examples, inferred, or both separated by a comma.')
    return source
  })
}

/** Parses a duration in minutes, with an optional fraction. */
function readMinutes(text: string): number {
  const minutes = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && minutes > 0 && minutes <= mostMinutes) return minutes
  throw new InvalidArgumentError(`Expected minutes, such as 10 or 0.5, at most ${mostMinutes}.`)
}

const mostMinutes = 24 * 60
