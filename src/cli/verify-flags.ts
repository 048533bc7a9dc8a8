import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { reportNames } from '../../contract-tests/reports/report-names.ts'
import type { Basis, VerifyOptions } from '../../contract-tests/verify/index.ts'
import { defaultUrl } from '../shared/addresses.ts'
import { withoutTrailingSlashes } from '../shared/urls.ts'
import { isObject } from '../shared/values.ts'
import { readTextFile } from './files.ts'
import { wholeNumber } from './options.ts'

/** What rules may need besides, and how each is written. */
const needForms = { schedule: 'ID:TOKEN', 'other-token': 'TOKEN', 'expired-token': 'TOKEN' }
/** The same, as people are told. */
const needsInWords = Object.entries(needForms)
  .map(([name, form]) => `${name}=${form}`)
  .join(', ')

/** Adds the argument and the flags of `understudy verify`. */
export function describeVerify(command: Command) {
  return (
    command
      .description('judge a server by the document')
      .argument('[url]', 'the base URL; paths begin with /api below it')
      // The environment is no list of processes, which others of the machine can read.
      .addOption(new Option('--api-key <key>', 'an API key the server knows').env('UNDERSTUDY_API_KEY'))
      .addOption(new Option('--email <email>', 'a user to sign in as').env('UNDERSTUDY_EMAIL'))
      .addOption(new Option('--password <password>', "that user's password").env('UNDERSTUDY_PASSWORD'))
      .addOption(
        new Option('--token <token>', 'a decoded OAuth token instead of a user').env('UNDERSTUDY_TOKEN'),
      )
      .option('--read-only', 'send nothing that writes')
      .option('--plan', 'say what would be read, written, deleted and left behind; send nothing')
      .option('--only <glob...>', 'judge only rules whose id fits, such as backfill-*')
      .option('--baseline <file>', 'known deviations, each with a reason')
      .option('--report <name=file...>', `write reports: ${reportNames.join(', ')}`, readPairs)
      .option('--allow-destructive', 'the server may be damaged, and any schedule triggered')
      .option('--use-conventions', 'the suite may create schedules and delete pipelines')
      .option('--timeout <milliseconds>', 'how long a reply may take', wholeNumber(1, 600_000), 10_000)
      .option('--delay <milliseconds>', 'from one request to the next, at least', wholeNumber(0, 60_000))
      .option('--need <name=value...>', needsInWords, readPairs)
      .option('--needs <file>', 'the same as JSON: { "schedule": "ID:TOKEN", "other-token": "TOKEN" }')
      .option('--prefix <text>', 'what the names of created records begin with')
      .option(
        '--stories <number>',
        'how many stories are drawn besides those always told; 0 tells none',
        wholeNumber(0, 1_000_000),
      )
      .option('--minutes <number>', 'draw stories until so much time is over, from the start', readMinutes)
      .option('--seed <number>', 'what stories are drawn from', wholeNumber(0, 2 ** 31 - 1))
      .option(
        '--concurrency <number>',
        'how many stories are told side by side; default 4',
        wholeNumber(1, 64),
      )
      .option('--no-shrink', 'do not look for the shortest story that shows a deviation')
      .option('--shard <part>', 'a part of the scenarios, such as 1/4')
      .addOption(
        new Option(
          '--strict <bases>',
          'what decides besides what is stated: samples, conventions, or both',
        ).argParser(readBases),
      )
      .addOption(
        new Option('--expect <auth>', 'what the server should ask of clients').choices([
          'open',
          'key',
          'login',
        ]),
      )
      .option('--clean', 'delete what runs that were killed have left, and judge nothing')
      .option('--verbose', 'show every rule that was selected, not only what is broken')
      .option('--quiet', 'no progress, and of the report the last line')
      .option('--json', 'the JSON report instead of the one for people, and no progress')
      .option('--merge <file...>', 'join JSON reports of parts into one, instead of judging')
  )
}

/** The flags of `understudy verify`, as they were given. */
export type VerifyFlags = ReturnType<ReturnType<typeof describeVerify>['opts']>

/**
 * Makes options of flags.
 *
 * @throws where a flag says what cannot be.
 */
export async function toOptions(url: string | undefined, flags: VerifyFlags): Promise<VerifyOptions> {
  if (url === undefined || !URL.canParse(url) || !/^https?:/.test(url)) {
    throw new Error(
      `Expected a base URL such as ${defaultUrl}; found ${url === undefined ? 'nothing' : shownUrl(url)}.`,
    )
  }
  if (/[?#]/.test(url))
    throw new Error(
      'Expected a base URL, to which paths are added; found one with a query or a fragment. A key is passed with --api-key.',
    )
  if (/\/api\/*$/.test(new URL(url).pathname)) {
    throw new Error(
      'Expected what stands before /api, which every path of the API begins with; leave /api away from the URL.',
    )
  }
  checkUser(flags)
  const needs = { ...(flags.needs === undefined ? {} : await readNeeds(flags.needs)), ...flags.need }
  const unknown = Object.keys(needs).find((name) => !Object.hasOwn(needForms, name))
  if (unknown !== undefined)
    throw new Error(
      `There is no need ${/^[a-z][a-z-]{0,19}$/.test(unknown) ? unknown : 'of that name'}; there are ${needsInWords}.`,
    )
  const [, id, token] = /^(\d+):(.+)$/.exec(needs.schedule ?? '') ?? []
  if (needs.schedule !== undefined && (id === undefined || token === undefined)) {
    throw new Error('--need schedule: expected ID:TOKEN, such as schedule=12:4f7c….')
  }
  return {
    target: withoutTrailingSlashes(url),
    apiKey: flags.apiKey,
    email: flags.email,
    password: flags.password,
    token: flags.token,
    readOnly: flags.readOnly === true,
    only: flags.only ?? [],
    baseline: flags.baseline,
    reports: flags.report ?? {},
    allowDestructive: flags.allowDestructive === true,
    useConventions: flags.useConventions === true,
    timeout: flags.timeout,
    otherToken: needs['other-token'],
    expiredToken: needs['expired-token'],
    schedule: id === undefined || token === undefined ? undefined : { id, token },
    shard: flags.shard,
    strict: flags.strict ?? [],
    expect: flags.expect,
    stories: flags.stories,
    minutes: flags.minutes,
    delay: flags.delay,
    seed: flags.seed,
    shrink: flags.shrink,
    concurrency: flags.concurrency,
    ...(flags.prefix === undefined ? {} : { prefix: flags.prefix }),
  }
}

/** A text that should be a URL, as far as it holds no credential: they stand before the last @, and in a query. */
function shownUrl(text: string): string {
  const [address = ''] = text.split(/[?#]/)
  const user = address.lastIndexOf('@')
  return user < 0 ? address : `${/^\w+:\/\//.exec(address)?.[0] ?? ''}${address.slice(user + 1)}`
}

/** A credential that goes nowhere, as from a variable that is not set, would leave rules unjudged without a word. */
function checkUser({ apiKey, token, email, password }: VerifyFlags): void {
  const given = { '--api-key': apiKey, '--token': token, '--email': email, '--password': password }
  for (const [flag, value] of Object.entries(given))
    if (value === '') throw new Error(`${flag} is empty; give it a value, or leave it out.`)
  if (email !== undefined && password === undefined)
    throw new Error('--email needs --password: nobody signs in without one.')
  if (password !== undefined && email === undefined)
    throw new Error('--password needs --email: it says whose password that is.')
}

async function readNeeds(file: string): Promise<Readonly<Record<string, string>>> {
  const broken = (found: string) =>
    new Error(
      `[understudy] Expected needs as JSON in ${file}, such as { "schedule": "12:TOKEN" }; found ${found}.`,
    )
  const text = await readTextFile(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw broken(`no file that can be read (${code})`)
  })
  const needs = parse(text)
  if (needs === undefined) throw broken('no JSON')
  if (!hasTextsOnly(needs)) throw broken('something else than names with texts')
  return needs
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function hasTextsOnly(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((each) => typeof each === 'string')
}

const bases = { samples: 'sample', conventions: 'convention' } as const

/** Reads `--strict`. */
function readBases(text: string): Basis[] {
  return text.split(',').map((name) => {
    const basis = Object.entries(bases).find(([plural]) => plural === name)?.[1]
    if (basis === undefined)
      throw new InvalidArgumentError('Expected samples, conventions, or both with a comma.')
    return basis
  })
}

/** Reads `name=value`, several with commas between them. */
function readPairs(text: string, before: Record<string, string> = {}): Record<string, string> {
  const pairs = text.split(',').map((pair) => {
    const [name, ...rest] = pair.split('=')
    if (!name || rest.length === 0) throw new InvalidArgumentError('Expected name=value.')
    return [name, rest.join('=')] as const
  })
  return { ...before, ...Object.fromEntries(pairs) }
}

/** Reads a duration in minutes, or parts of one. */
function readMinutes(text: string): number {
  const minutes = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && minutes > 0 && minutes <= mostMinutes) return minutes
  throw new InvalidArgumentError(`Expected minutes, such as 10 or 0.5, and ${mostMinutes} at most.`)
}

const mostMinutes = 24 * 60
