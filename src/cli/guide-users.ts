import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { holdsSecret } from './secret-flags.ts'

/**
 * Adds hints to the usage errors of a command and its subcommands: which help to read, the command with a similar name, and
 * a missing value where the next flag would become the value.
 *
 * `path` is the full name of the command, and `given` the arguments of the process.
 */
export function guideUsers(command: CommandUnknownOpts, path: string, given: readonly string[]): void {
  command.showHelpAfterError(`Run \`${path} --help\` for usage.`)
  for (const option of command.options) refuseFlagAsValue(command, option, given)
  // `--help` does the same.
  command.helpCommand(false)
  for (const inner of command.commands) guideUsers(inner, `${path} ${inner.name()}`, given)
}

/** Matches a value that is probably another flag. Negative numbers are values. */
const flag = /^--?[a-z]/i

/** Refuses the next flag as the value of an option; `--option=--value` remains possible. */
function refuseFlagAsValue(command: CommandUnknownOpts, option: Option, given: readonly string[]): void {
  const { long } = option
  if (!option.required || long == null) return
  command.on(`option:${option.name()}`, (value: unknown) => {
    const isNext = given.some((word, index) => word === long && given[index + 1] === value)
    if (typeof value !== 'string' || !flag.test(value) || !isNext) return
    const shown = holdsSecret(option.name()) ? 'VALUE' : value
    const follower = shown === value ? value : 'what looks like another flag'
    command.error(
      `error: option '${option.flags}' argument missing: ${follower} follows it\n(Write ${long}=${shown} if that is the value.)`,
    )
  })
}
