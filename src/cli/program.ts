import { Command } from '@commander-js/extra-typings'
import { reasonOf } from '../shared/understudy-error.ts'
import { version } from '../shared/version.ts'
import { guideUsers } from './guide-users.ts'
import { endWithOutput } from './output.ts'
import { CommandExit, type ProcessIo } from './process-io.ts'
import { withoutFlagValues } from './secret-flags.ts'

interface CommandModule {
  addCommand(program: Command, io: ProcessIo): void
}

/** The module of each command. */
const modules: Readonly<Record<string, () => Promise<CommandModule>>> = {
  init: () => import('./init.ts'),
  doctor: () => import('./doctor.ts'),
  serve: () => import('./serve.ts'),
  verify: () => import('./verify.ts'),
  fixture: () => import('./fixture.ts'),
  scenario: () => import('./scenario.ts'),
  openapi: () => import('./openapi.ts'),
  completion: () => import('./completion.ts'),
  demo: () => import('./demo.ts'),
}

/** The modules of the command that is named; all of them for the help, for completion, and for a name that is unknown. */
function modulesFor([name = '']: readonly string[]): (() => Promise<CommandModule>)[] {
  const named = name !== 'completion' && Object.hasOwn(modules, name) ? modules[name] : undefined
  return named === undefined ? Object.values(modules) : [named]
}

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
  for (const load of modulesFor(given)) (await load()).addCommand(program, io)
  guideUsers(program, 'understudy', given)
  endWithOutput(io)
  try {
    await program.parseAsync(['node', 'understudy', ...given])
  } catch (error) {
    if (error instanceof CommandExit) return
    io.stderr.write(`${reasonOf(error)}\n`)
    io.exitCode = 1
  }
}
