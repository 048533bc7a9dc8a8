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
import { addScenarioCommand } from './scenario.ts'
import { withoutFlagValues } from './secret-flags.ts'
import { addServeCommand } from './serve.ts'
import { Ended, type Surroundings } from './surroundings.ts'
import { addVerifyCommand } from './verify.ts'

const adders = {
  init: addInitCommand,
  doctor: addDoctorCommand,
  serve: addServeCommand,
  verify: addVerifyCommand,
  fixture: addFixtureCommand,
  scenario: addScenarioCommand,
  openapi: addOpenapiCommand,
  completion: addCompletionCommand,
  demo: addDemoCommand,
}

/** Runs the command that the arguments name. */
export async function runProgram(given: readonly string[], around: Surroundings): Promise<void> {
  const program = new Command('understudy')
    .configureOutput({
      writeOut: (text) => around.stdout.write(text),
      writeErr: (text) => around.stderr.write(text),
      outputError: (text, write) => write(withoutFlagValues(text)),
    })
    .exitOverride(({ exitCode }) => around.exit(exitCode))
    .description('A stand-in for the pipeline orchestration service.')
    .version(version)
  const isNamed = given[0] !== 'completion' && Object.hasOwn(adders, given[0] ?? '')
  for (const [name, add] of Object.entries(adders)) {
    // A command that is named needs no others; the help, completion, and a name that is none, need all of them.
    if (!isNamed || name === given[0]) await add(program, given, around)
  }
  guideUsers(program, 'understudy', given)
  endWithOutput(around)
  try {
    await program.parseAsync(['node', 'understudy', ...given])
  } catch (error) {
    if (error instanceof Ended) return
    // Whose message it is needs no mark here: the user has just called us.
    around.stderr.write(`${error instanceof UnderstudyError ? error.detail : messageOf(error)}\n`)
    around.exitCode = 1
  }
}
