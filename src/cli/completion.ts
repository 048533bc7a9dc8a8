import { Argument, type Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { readPackageFile } from '../files/package-folder.ts'
import { print } from './output.ts'
import type { ProcessIo } from './process-io.ts'

/** Adds the command `completion` to the program. */
export function addCommand(program: Command, io: ProcessIo): void {
  program
    .command('completion')
    .addArgument(
      new Argument('<shell>', 'shell to generate the script for').choices(['bash', 'zsh', 'fish'] as const),
    )
    .description('print a shell completion script')
    .action((shell) => print(io, readPackageFile(`templates/completion.${shell}`)))
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action((words) => {
      const found = completionsOf(program, words)
      if (found.length > 0) print(io, found.join('\n'))
      io.exitCode = found.length === 0 ? 1 : 0
    })
}

/** Returns the candidates for the last typed word; none where the shell should complete file names. */
function completionsOf(program: CommandUnknownOpts, typed: readonly string[]): string[] {
  // bash makes three words of `--name=value`.
  const words = typed.filter((word) => word !== '=')
  const current = typed.at(-1) === '=' ? '' : (words.pop() ?? '')
  let command = program
  for (const word of words) command = command.commands.find((inner) => inner.name() === word) ?? command
  const help = command.createHelp()
  const options = help.visibleOptions(command)
  const [start = '', before = words.at(-1)] = /^(--[\w-]+)=/.exec(current) ?? []
  const option = options.find(({ long, short }) => before === long || before === short)
  const takesValue = option !== undefined && (option.required || option.optional)
  const offered = takesValue ? valuesOf(option, start) : wordsOf(command, current)
  return offered.filter((word) => word.startsWith(current))
}

function valuesOf({ argChoices = [] }: { argChoices?: readonly string[] }, start: string): string[] {
  return argChoices.map((value) => start + value)
}

/** Returns the flags of a command, or its subcommands and argument values if it has any. */
function wordsOf(command: CommandUnknownOpts, current: string): string[] {
  const help = command.createHelp()
  const flags = help.visibleOptions(command).flatMap(({ long, short }) => [long ?? [], short ?? []].flat())
  const taken = command.registeredArguments
  if (current.startsWith('-')) return flags
  if (taken.some(({ argChoices }) => argChoices === undefined)) return []
  const names = help.visibleCommands(command).map((inner) => inner.name())
  const words = [...names, ...taken.flatMap(({ argChoices = [] }) => argChoices)]
  return words.length === 0 ? flags : words
}
