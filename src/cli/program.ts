import { Command } from '@commander-js/extra-typings'
import { version } from '../wire/version.ts'
import { addFixtureCommand } from './fixture.ts'
import { addOpenapiCommand } from './openapi.ts'
import { endWithOutput } from './output.ts'
import { addServeCommand } from './serve.ts'
import { addVerifyCommand } from './verify.ts'

const program = new Command('understudy')
  .description('A stand-in for the pipeline orchestration service.')
  .version(version)
  .showHelpAfterError('Run `understudy --help` for what there is.')
await addServeCommand(program, process.argv.slice(2))
addVerifyCommand(program)
addFixtureCommand(program)
addOpenapiCommand(program)

endWithOutput()

try {
  await program.parseAsync()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
