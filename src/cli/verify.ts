import type { Command } from '@commander-js/extra-typings'
import type { VerifyOptions } from '../../contract-tests/verify/index.ts'
import { defaultUrl } from '../shared/addresses.ts'
import { messageOf } from '../shared/built-ins.ts'
import { failWith, print, printError, printReport } from './output.ts'
import { CommandExit, type ProcessIo } from './process-io.ts'
import { areHarFiles, describeVerify, toOptions, toTrafficOptions, type VerifyFlags } from './verify-flags.ts'
import { createProgressLine } from './verify-progress.ts'

/** Adds the command `verify` to the program. */
export function addCommand(program: Command, io: ProcessIo): void {
  describeVerify(program.command('verify'))
    // Exit code 2: an invalid flag is not a violation.
    .exitOverride(({ exitCode }) => io.exit(exitCode === 0 ? 0 : 2))
    .action((targets, flags) => runVerify(targets, flags, io))
}

/** Signals that stop the verifier, with their exit codes. */
const stops = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGQUIT', 131],
] as const

async function runVerify(targets: readonly string[], flags: VerifyFlags, io: ProcessIo): Promise<void> {
  const { temporary } = io
  const [url] = targets
  const contract = await loadVerifier(io)
  io.on('uncaughtException', (error) => {
    const why = `Internal error of the verifier: ${messageOf(error)}`
    printError(io, `[understudy] ${why}`)
    contract.reportFailure(why, attemptOf(url, flags))
    io.exit(2)
  })
  failWith(2, io)
  try {
    if (areHarFiles(targets)) {
      const { report, exitCode } = await contract.verifyTraffic(toTrafficOptions(targets, flags))
      return showReport(contract, report, exitCode, flags, io)
    }
    if (targets.length > 1) throw new Error(`Expected one base URL; found ${targets.length} arguments.`)
    // A plan needs no server.
    const target = flags.plan ? (url ?? defaultUrl) : url
    const options = { ...(await toOptions(target, flags)), temporary }
    if (flags.plan) return print(io, contract.planOf(options))
    if (flags.clean) return await cleanTarget(contract, options, io)
    const { report, exitCode } = await verifyUntilStopped(contract, options, flags, io)
    showReport(contract, report, exitCode, flags, io)
  } catch (error) {
    if (error instanceof CommandExit) throw error
    io.exitCode = 2
    const why = messageOf(error)
    printError(io, why)
    if (flags.plan || flags.clean) return
    printForMachines(contract, contract.reportFailure(why, attemptOf(url, flags)), flags, io)
  }
}

function showReport(
  contract: Contract,
  report: Parameters<Contract['fileReports']['json']>[0],
  exitCode: number,
  flags: VerifyFlags,
  io: ProcessIo,
): void {
  // Before writing: a reader such as `head` may close the pipe early.
  io.exitCode = exitCode
  const hasColour = io.stdout.isTTY === true
  const { verbose: isVerbose = false, quiet: isQuiet = false, reproductions } = flags
  if (!flags.json)
    printReport(io, contract.terminalReport(report, { hasColour, isVerbose, isQuiet, reproductions }))
  printForMachines(contract, report, flags, io)
}

/** Prints a report as JSON, or as GitHub annotations on the lines of the specification. */
function printForMachines(
  { fileReports }: Contract,
  report: Parameters<Contract['fileReports']['json']>[0],
  { json }: VerifyFlags,
  io: ProcessIo,
): void {
  if (json) printReport(io, fileReports.json(report))
  else if (io.env.GITHUB_ACTIONS === 'true') printReport(io, fileReports.github(report))
}

/** Returns the options that need no parsing of other flags. */
function attemptOf(target: string | undefined, flags: VerifyFlags) {
  const { only, readOnly, allowDestructive, report: reports } = flags
  return { target, reports, only, readOnly, allowDestructive }
}

/** Loads the verifier, which only this command needs. A failure exits with 2, because it is not a violation. */
async function loadVerifier(io: ProcessIo) {
  try {
    return await import('../../contract-tests/verify/index.ts')
  } catch (error) {
    printError(io, `[understudy] The verifier could not be loaded: ${messageOf(error)}`)
    return io.exit(2)
  }
}

async function cleanTarget(contract: Contract, options: VerifyOptions, io: ProcessIo): Promise<void> {
  const { left, notes } = await contract.clean(options)
  for (const text of [...notes, ...left.map((path) => `Left on the target: ${path}`)]) print(io, text)
  if (left.length === 0) print(io, 'No records of interrupted runs are left.')
  else if (options.useConventions) print(io, 'The target does not delete these records.')
  else
    print(io, 'No documented endpoint deletes pipelines. Pass --use-conventions to try an undocumented one.')
  io.exitCode = left.length === 0 ? 0 : 1
}

type Contract = typeof import('../../contract-tests/verify/index.ts')

/** Verifies. The first signal stops early and deletes created records; a second one exits immediately. */
async function verifyUntilStopped(
  contract: Contract,
  options: VerifyOptions,
  flags: VerifyFlags,
  io: ProcessIo,
) {
  const isSilent = flags.quiet === true || flags.json === true
  const progress = isSilent ? undefined : createProgressLine(io, contract.progressLine)
  const controller = new AbortController()
  let exitCode: number | undefined
  let stoppedBy: NodeJS.Signals | undefined
  const end = (left: readonly string[]): never => {
    if (left.length > 0) printError(io, `Left on the target:\n${left.map((path) => `  ${path}`).join('\n')}`)
    return io.exit(exitCode)
  }
  const listeners = stops.map(([signal, code]) => {
    const listener = () => {
      if (exitCode !== undefined) return end(contract.leftNow())
      exitCode = code
      stoppedBy = signal
      progress?.hide()
      printError(io, 'Deleting created records. Repeat the signal to exit immediately.')
      controller.abort()
    }
    io.on(signal, listener)
    return { signal, listener }
  })
  try {
    return await contract.verify({
      ...options,
      signal: controller.signal,
      ...(progress && { onProgress: (now) => progress.show(now) }),
    })
  } catch (error) {
    if (!(error instanceof contract.Interrupted)) throw error
    const { leftBehind } = error
    contract.reportFailure(`Verification was stopped by ${stoppedBy}.`, {
      ...attemptOf(options.target, flags),
      leftBehind,
    })
    return end(leftBehind)
  } finally {
    progress?.hide()
    for (const { signal, listener } of listeners) io.off(signal, listener)
  }
}
