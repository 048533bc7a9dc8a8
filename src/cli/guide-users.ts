import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { suggest } from '../shared/suggest.ts'
import { holdsSecret } from './secret-flags.ts'

/**
 * Has a command, and all below it, say the way out of what is typed wrong: which help to look into, which command was
 * meant, and that a value is missing where another flag stands in its place.
 *
 * `path` is how the command is called, and `given` the arguments of the process.
 */
export function guideUsers(command: CommandUnknownOpts, path: string, given: readonly string[]): void {
  command.showHelpAfterError(`Run \`${path} --help\` for what there is.`)
  for (const option of command.options) refuseFlagAsValue(command, option, given)
  if (command.commands.length === 0) return
  for (const inner of command.commands) guideUsers(inner, `${path} ${inner.name()}`, given)
  addHelpCommand(command)
}

/** What a value begins with that is another flag; numbers may be below zero. */
const flag = /^--?[a-z]/i

/** Refuses the next flag as the value of an option; one that is written with = is meant. */
function refuseFlagAsValue(command: CommandUnknownOpts, option: Option, given: readonly string[]): void {
  const { long } = option
  if (!option.required || long == null) return
  command.on(`option:${option.name()}`, (value: unknown) => {
    const isNext = given.some((word, index) => word === long && given[index + 1] === value)
    if (typeof value !== 'string' || !flag.test(value) || !isNext) return
    const shown = holdsSecret(option.name()) ? 'VALUE' : value
    const standing = shown === value ? value : 'what looks like another flag'
    command.error(
      `error: option '${option.flags}' argument missing: ${standing} stands in its place\n(Write ${long}=${shown} where that is the value.)`,
    )
  })
}

/** The command for help that commander has would print the general help for a command that there is not. */
function addHelpCommand(parent: CommandUnknownOpts): void {
  const names = parent.commands.map((inner) => inner.name())
  parent.helpCommand(false)
  parent
    .command('help')
    .argument('[command]')
    .description('display help for command')
    .action((name) => {
      if (name === undefined) parent.help()
      const found = parent.commands.find((inner) => inner.name() === name)
      if (found !== undefined) found.help()
      const meant = suggest(name, names).trim()
      parent.error(`error: unknown command '${name}'${meant === '' ? '' : `\n(${meant})`}`)
    })
}
