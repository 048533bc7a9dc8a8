import { Argument, type Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { print } from './output.ts'
import type { ProcessIo } from './process-io.ts'

export function addCommand(program: Command, io: ProcessIo): void {
  program
    .command('completion')
    .addArgument(
      new Argument('<shell>', 'shell to generate the script for').choices(['bash', 'zsh', 'fish'] as const),
    )
    .description('print a shell completion script')
    .action((shell) => print(io, scripts[shell]))
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

const bash = `# source <(npx pipeline-understudy completion bash)
_pipeline_understudy() {
  local IFS=$'\\n'
  COMPREPLY=($("$1" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _pipeline_understudy pipeline-understudy understudy
`

const zsh = `#compdef pipeline-understudy understudy
# source <(npx pipeline-understudy completion zsh)
_pipeline_understudy() {
  local found
  found="$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)" || { _files; return }
  compadd -- \${(f)found}
}
compdef _pipeline_understudy pipeline-understudy understudy
`

const fish = `# npx pipeline-understudy completion fish | source
function __pipeline_understudy
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  $words[1] complete -- $words[2..-1] "$current" 2>/dev/null; or __fish_complete_path "$current"
end
complete -c pipeline-understudy -f -a '(__pipeline_understudy)'
complete -c understudy -f -a '(__pipeline_understudy)'
`

const scripts = { bash, zsh, fish }
