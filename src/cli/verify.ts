import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { Basis, Expected, JudgeOptions, VerifyOptions } from '../../contract-tests/verify/index.ts'
import { wholeNumber } from './options.ts'

interface VerifyFlags {
  readonly apiKey?: string
  readonly email?: string
  readonly password?: string
  readonly token?: string
  readonly readOnly?: boolean
  readonly plan?: boolean
  readonly only?: string[]
  readonly baseline?: string
  readonly report?: Record<string, string>
  readonly allowDestructive?: boolean
  readonly useConventions?: boolean
  readonly timeout: number
  readonly need?: Record<string, string>
  readonly needs?: string
  readonly prefix?: string
  readonly shard?: string
  readonly stories?: number
  readonly seed?: number
  readonly shrink?: boolean
  readonly concurrency?: number
  readonly merge?: string[]
  readonly strict?: Basis[]
  readonly expect?: Expected
  readonly clean?: boolean
  readonly verbose?: boolean
}

/** Adds `understudy verify`. */
export function addVerifyCommand(program: Command): void {
  program
    .command('verify')
    .description('judge a server by the document')
    .argument('[url]', 'the base URL; paths begin with /api below it')
    .option('--api-key <key>', 'an API key the server knows')
    .option('--email <email>', 'a user to sign in as')
    .option('--password <password>', "that user's password")
    .option('--token <token>', 'a decoded OAuth token instead of a user')
    .option('--read-only', 'send nothing that writes')
    .option('--plan', 'say what would be read, written, deleted and left behind; send nothing')
    .option('--only <glob...>', 'judge only rules whose id fits, such as backfill-*')
    .option('--baseline <file>', 'known deviations, each with a reason')
    .option('--report <name=file...>', 'write reports: junit, json, html, sarif, github', readPairs, {})
    .option('--allow-destructive', 'the server may be damaged, and any schedule triggered')
    .option('--use-conventions', 'the suite may create schedules and delete pipelines')
    .option('--timeout <milliseconds>', 'how long a reply may take', wholeNumber(1, 600_000), 10_000)
    .option(
      '--need <name=value...>',
      'schedule=ID:TOKEN, other-token=TOKEN, expired-token=TOKEN',
      readPairs,
      {},
    )
    .option('--needs <file>', 'the same as JSON: { "schedule": "ID:TOKEN", "other-token": "TOKEN" }')
    .option('--prefix <text>', 'what the names of created records begin with')
    .option(
      '--stories <number>',
      'how many stories are drawn besides those always told; 0 tells none',
      wholeNumber(0, 1_000_000),
    )
    .option('--seed <number>', 'what stories are drawn from', wholeNumber(0, 2 ** 31 - 1))
    .option('--concurrency <number>', 'how many stories are told side by side; default 4', wholeNumber(1, 64))
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
    .option('--verbose', 'show every rule, not only what is broken')
    .option('--merge <file...>', 'join JSON reports of parts into one, instead of judging')
    .action(runVerify)
}

/** The signals that stop judging, each with what the process then exits with. */
const stops = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

async function runVerify(url: string | undefined, flags: VerifyFlags): Promise<void> {
  process.on('uncaughtException', (error) => {
    process.stderr.write(`[understudy] The judge failed, and this is its fault: ${error.message}\n`)
    process.exit(2)
  })
  // Only this command needs the judge.
  const contract = await import('../../contract-tests/verify/index.ts')
  try {
    if (flags.plan) {
      process.stdout.write(contract.planOf(await toOptions(url ?? 'http://127.0.0.1', flags)))
      return
    }
    if (flags.clean) return await cleanTarget(contract, await toOptions(url, flags))
    const { report, exitCode } = flags.merge
      ? await contract.mergeReports(flags.merge, flags.report)
      : await verifyUntilStopped(contract, await toOptions(url, flags))
    // Before anything is written: a reader such as `head` may be gone by then.
    process.exitCode = exitCode
    const { isTTY: hasColour = false } = process.stdout
    process.stdout.write(contract.terminalReport(report, { hasColour, isVerbose: flags.verbose === true }))
    // GitHub shows these beside the lines of the document.
    if (process.env.GITHUB_ACTIONS === 'true') process.stdout.write(contract.fileReports.github(report))
  } catch (error) {
    process.exitCode = 2
    process.stderr.write(`${contract.printable(error instanceof Error ? error.message : String(error))}\n`)
  }
}

async function cleanTarget(contract: Contract, options: VerifyOptions): Promise<void> {
  const { left, notes } = await contract.clean(options)
  for (const text of [...notes, ...left.map((path) => `Left on the target: ${path}`)])
    process.stdout.write(`${contract.printable(text)}\n`)
  if (left.length === 0) process.stdout.write('Nothing is left of runs that were killed.\n')
  process.exitCode = left.length === 0 ? 0 : 1
}

/** Says on one line what is tried, where a person looks on. */
function showProgress(): NonNullable<JudgeOptions['onProgress']> | undefined {
  if (!process.stderr.isTTY) return undefined
  return ({ scenario, index, of, requests }) =>
    void process.stderr.write(`\r\u001b[K[${index + 1}/${of}] ${scenario}; ${requests} requests`)
}

function hideProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
}

type Contract = typeof import('../../contract-tests/verify/index.ts')

/** Verifies; a signal ends that early, deletes what was created, and ends the process; a second one ends it at once. */
async function verifyUntilStopped(contract: Contract, options: VerifyOptions) {
  const controller = new AbortController()
  let exitCode: number | undefined
  const end = (left: readonly string[]) => {
    if (left.length > 0)
      process.stderr.write(`Left on the target:\n${left.map((path) => `  ${path}\n`).join('')}`)
    process.exit(exitCode)
  }
  const listeners = Object.entries(stops).map(([signal, code]) => {
    const listener = () => {
      if (exitCode !== undefined) return end(contract.leftNow())
      exitCode = code
      process.stderr.write('Deleting what was created; the same again ends at once.\n')
      controller.abort()
    }
    process.on(signal, listener)
    return { signal, listener }
  })
  try {
    const onProgress = showProgress()
    return await contract.verify({ ...options, signal: controller.signal, ...(onProgress && { onProgress }) })
  } catch (error) {
    if (error instanceof contract.Interrupted) end(error.leftBehind)
    throw error
  } finally {
    hideProgress()
    for (const { signal, listener } of listeners) process.off(signal, listener)
  }
}

async function toOptions(url: string | undefined, flags: VerifyFlags): Promise<VerifyOptions> {
  if (url === undefined || !URL.canParse(url) || !/^https?:/.test(url)) {
    const found = url?.replace(/\/\/[^/@]*@/, '//') ?? 'nothing'
    throw new Error(`Expected a base URL such as http://127.0.0.1:6789; found ${found}.`)
  }
  const needs = { ...(flags.needs === undefined ? {} : await readNeeds(flags.needs)), ...flags.need }
  const unknown = Object.keys(needs).find(
    (name) => !['schedule', 'other-token', 'expired-token'].includes(name),
  )
  if (unknown !== undefined)
    throw new Error(
      `There is no need ${unknown}; there are schedule=ID:TOKEN, other-token=TOKEN and expired-token=TOKEN.`,
    )
  const [, id, token] = /^(\d+):(.+)$/.exec(needs.schedule ?? '') ?? []
  if (needs.schedule !== undefined && (id === undefined || token === undefined)) {
    throw new Error('--need schedule: expected ID:TOKEN, such as schedule=12:4f7c….')
  }
  return {
    target: url.replace(/\/+$/, ''),
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
    seed: flags.seed,
    shrink: flags.shrink,
    concurrency: flags.concurrency,
    ...(flags.prefix === undefined ? {} : { prefix: flags.prefix }),
  }
}

async function readNeeds(file: string): Promise<Record<string, string>> {
  const broken = (found: string) =>
    new Error(
      `[understudy] Expected needs as JSON in ${file}, such as { "schedule": "12:TOKEN" }; found ${found}.`,
    )
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw broken(`no file that can be read (${(error as NodeJS.ErrnoException).code})`)
  }
  let needs: unknown
  try {
    needs = JSON.parse(text)
  } catch {
    throw broken('no JSON')
  }
  const isText = (value: unknown) => typeof value === 'string'
  if (typeof needs !== 'object' || needs === null || !Object.values(needs).every(isText))
    throw broken('something else than names with texts')
  // Every value was just seen to be a text.
  return needs as Record<string, string>
}

const bases = { samples: 'sample', conventions: 'convention' } as const

function readBases(text: string): Basis[] {
  return text.split(',').map((name) => {
    const basis = Object.entries(bases).find(([plural]) => plural === name)?.[1]
    if (basis === undefined)
      throw new InvalidArgumentError('Expected samples, conventions, or both with a comma.')
    return basis
  })
}

function readPairs(text: string, before: Record<string, string>): Record<string, string> {
  const pairs = text.split(',').map((pair) => {
    const [name, ...rest] = pair.split('=')
    if (!name || rest.length === 0) throw new InvalidArgumentError('Expected name=value.')
    return [name, rest.join('=')] as const
  })
  return { ...before, ...Object.fromEntries(pairs) }
}
