import { Command } from '@commander-js/extra-typings'
import { messageOf } from '../shared/built-ins.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { version } from '../shared/version.ts'
import { addCompletionCommand } from './completion.ts'
import { addDemoCommand } from './demo.ts'
import { addDoctorCommand } from './doctor.ts'
import { addFixtureCommand } from './fixture.ts'
import { guideUsers } from './guide-users.ts'
import { addInitCommand } from './init.ts'
import { addOpenapiCommand } from './openapi.ts'
import { endWithOutput } from './output.ts'
import { CommandExit, type ProcessIo } from './process-io.ts'
import { addScenarioCommand } from './scenario.ts'
import { withoutFlagValues } from './secret-flags.ts'
import { addServeCommand } from './serve.ts'
import { addVerifyCommand } from './verify.ts'

const adders = [
  addInitCommand,
  addDoctorCommand,
  addServeCommand,
  addVerifyCommand,
  addFixtureCommand,
  addScenarioCommand,
  addOpenapiCommand,
  addCompletionCommand,
  addDemoCommand,
]

/** Runs the command that the arguments name. */
export async function runProgram(given: readonly string[], io: ProcessIo): Promise<void> {
  const program = new Command('understudy')
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(withoutFlagValues(text)),
    })
    .exitOverride(({ exitCode }) => io.exit(exitCode))
    .description('A stand-in for the pipeline orchestration service.')
    .version(version)
  for (const add of adders) await add(program, given, io)
  guideUsers(program, 'understudy', given)
  endWithOutput(io)
  try {
    await program.parseAsync(['node', 'understudy', ...given])
  } catch (error) {
    if (error instanceof CommandExit) return
    // Whose message it is needs no mark here: the user has just called us.
    io.stderr.write(`${error instanceof UnderstudyError ? error.detail : messageOf(error)}\n`)
    io.exitCode = 1
  }
}
