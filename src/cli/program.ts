import { Command } from '@commander-js/extra-typings'
import { reasonOf } from '../shared/understudy-error.ts'
import { version } from '../shared/version.ts'
import { guideUsers } from './guide-users.ts'
import { endWithOutput, print, printError } from './output.ts'
import { CommandExit, type ProcessIo } from './process-io.ts'
import { withoutFlagValues } from './secret-flags.ts'

interface CommandModule {
  addCommand(program: Command, io: ProcessIo): void
}

const modules: Readonly<Record<string, () => Promise<CommandModule>>> = {
  init: () => import('./init.ts'),
  doctor: () => import('./doctor.ts'),
  serve: () => import('./serve.ts'),
  verify: () => import('./verify.ts'),
  proxy: () => import('./proxy.ts'),
  import: () => import('./import.ts'),
  fixture: () => import('./fixture.ts'),
  scenario: () => import('./scenario.ts'),
  openapi: () => import('./openapi.ts'),
  completion: () => import('./completion.ts'),
  demo: () => import('./demo.ts'),
}

/** Returns the module of the named command; all modules for help, completion and unknown names. */
function modulesFor([name = '']: readonly string[]): (() => Promise<CommandModule>)[] {
  const named = name !== 'completion' && Object.hasOwn(modules, name) ? modules[name] : undefined
  return named === undefined ? Object.values(modules) : [named]
}

/** Reads `help serve` as `serve --help`, and the unknown command of `help sevre` as given alone. */
function withHelpFlag([first, ...names]: readonly string[]): readonly string[] | undefined {
  if (first !== 'help') return undefined
  const [name] = names
  return name === undefined || Object.hasOwn(modules, name) ? [...names, '--help'] : names
}

export async function runProgram(typed: readonly string[], io: ProcessIo): Promise<void> {
  const given = withHelpFlag(typed) ?? typed
  const program = new Command('pipeline-understudy')
    .configureOutput({
      writeOut: (text) => print(io, text),
      writeErr: (text) => printError(io, text),
      outputError: (text, write) => write(withoutFlagValues(text)),
    })
    .exitOverride(({ exitCode }) => io.exit(exitCode))
    .description('Mock server and contract verifier for the pipeline orchestration API.')
    .version(version, '-V, --version', 'print the version number')
    .helpOption('-h, --help', 'show help')
  for (const load of modulesFor(given)) (await load()).addCommand(program, io)
  guideUsers(program, 'pipeline-understudy', given)
  endWithOutput(io)
  try {
    await program.parseAsync(['node', 'pipeline-understudy', ...given])
  } catch (error) {
    if (error instanceof CommandExit) return
    printError(io, reasonOf(error))
    io.exitCode = 1
  }
}
