import { type Command, Option } from '@commander-js/extra-typings'
import { reportNames } from '../../contract-tests/reports/report-names.ts'
import type { VerifyOptions } from '../../contract-tests/verify/index.ts'
import { messageOf } from '../wire/built-ins.ts'
import { wholeNumber } from './options.ts'
import { readBases, readMinutes, readPairs, toOptions, type VerifyFlags } from './verify-flags.ts'
import { ProgressLine } from './verify-progress.ts'

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
    .option('--report <name=file...>', `write reports: ${reportNames.join(', ')}`, readPairs, {})
    .option('--allow-destructive', 'the server may be damaged, and any schedule triggered')
    .option('--use-conventions', 'the suite may create schedules and delete pipelines')
    .option('--timeout <milliseconds>', 'how long a reply may take', wholeNumber(1, 600_000), 10_000)
    .option('--delay <milliseconds>', 'from one request to the next, at least', wholeNumber(0, 60_000))
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
    .option('--minutes <number>', 'draw stories until so much time is over, from the start', readMinutes)
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
    .option('--quiet', 'no progress, and of the report the last line')
    .option('--json', 'the JSON report instead of the one for people, and no progress')
    .option('--merge <file...>', 'join JSON reports of parts into one, instead of judging')
    // A flag that is wrong is no deviation.
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .action(runVerify)
}

/** The signals that stop judging, each with what the process then exits with. */
const stops = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

async function runVerify(url: string | undefined, flags: VerifyFlags): Promise<void> {
  process.on('uncaughtException', (error) => {
    process.stderr.write(`[understudy] The judge failed, and this is its fault: ${error.message}\n`)
    process.exit(2)
  })
  // Who reads the progress may go away; the verdict is what counts.
  process.stderr.on('error', () => {})
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
      : await verifyUntilStopped(contract, await toOptions(url, flags), flags)
    // Before anything is written: a reader such as `head` may be gone by then.
    process.exitCode = exitCode
    process.stdout.prependListener('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return
      process.stderr.write(`[understudy] The report could not be written: ${error.message}\n`)
      process.exit(exitCode || 2)
    })
    if (flags.json) {
      process.stdout.write(contract.fileReports.json(report))
      return
    }
    const { isTTY: hasColour = false } = process.stdout
    const { verbose: isVerbose = false, quiet: isQuiet = false } = flags
    process.stdout.write(contract.terminalReport(report, { hasColour, isVerbose, isQuiet }))
    // GitHub shows these beside the lines of the document.
    if (process.env.GITHUB_ACTIONS === 'true') process.stdout.write(contract.fileReports.github(report))
  } catch (error) {
    process.exitCode = 2
    process.stderr.write(`${contract.printable(messageOf(error))}\n`)
  }
}

async function cleanTarget(contract: Contract, options: VerifyOptions): Promise<void> {
  const { left, notes } = await contract.clean(options)
  for (const text of [...notes, ...left.map((path) => `Left on the target: ${path}`)])
    process.stdout.write(`${contract.printable(text)}\n`)
  if (left.length === 0) process.stdout.write('Nothing is left of runs that were killed.\n')
  process.exitCode = left.length === 0 ? 0 : 1
}

type Contract = typeof import('../../contract-tests/verify/index.ts')

/** Verifies; a signal ends that early, deletes what was created, and ends the process; a second one ends it at once. */
async function verifyUntilStopped(contract: Contract, options: VerifyOptions, flags: VerifyFlags) {
  const isSilent = flags.quiet === true || flags.json === true
  const progress = isSilent ? undefined : new ProgressLine(process.stderr, contract.progressLine)
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
      progress?.hide()
      process.stderr.write('Deleting what was created; the same again ends at once.\n')
      controller.abort()
    }
    process.on(signal, listener)
    return { signal, listener }
  })
  try {
    return await contract.verify({
      ...options,
      signal: controller.signal,
      ...(progress && { onProgress: (now) => progress.show(now) }),
    })
  } catch (error) {
    if (error instanceof contract.Interrupted) end(error.leftBehind)
    throw error
  } finally {
    progress?.hide()
    for (const { signal, listener } of listeners) process.off(signal, listener)
  }
}
