import type { CommandUnknownOpts } from '@commander-js/extra-typings'

/** A word that may be typed, and what it is. */
export interface Word {
  readonly name: string
  readonly description: string
}

/** A flag: under its names, with what it takes. */
export interface Flag extends Word {
  readonly takesValue: boolean
  /** The values there are; none where it may be any, such as a file. */
  readonly values: readonly string[]
}

/** What may follow a command. */
export interface Completable {
  /** The words that lead to it, such as `fixture new`; nothing for the program itself. */
  readonly path: string
  /** Its own commands, or the values that its argument may have. */
  readonly words: readonly Word[]
  readonly flags: readonly Flag[]
  /** Whether it takes something of which there is no list, such as a file. */
  readonly takesAny: boolean
}

/** What the commands of a program, their options and choices say of what may be typed, a row per command. */
export function tableOf(program: CommandUnknownOpts, path = ''): Completable[] {
  const help = program.createHelp()
  const commands = help.visibleCommands(program)
  const taken = program.registeredArguments
  const row: Completable = {
    path,
    words: [
      ...commands.map((command) => ({ name: command.name(), description: command.description() })),
      ...taken.flatMap(({ argChoices = [], description }) =>
        argChoices.map((name) => ({ name, description })),
      ),
    ],
    flags: help.visibleOptions(program).flatMap((option) => {
      const { description, required, optional, argChoices: values = [] } = option
      const names = [option.long, option.short].filter((name) => name != null)
      return names.map((name) => ({ name, description, takesValue: required || optional, values }))
    }),
    takesAny: taken.some(({ argChoices }) => argChoices === undefined),
  }
  const inner = commands.filter((command) => command.name() !== 'help')
  return [row, ...inner.flatMap((command) => tableOf(command, `${path} ${command.name()}`.trim()))]
}
