import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { shellWord } from '../shared/shell-word.ts'
import { type Completable, type Flag, tableOf, type Word } from './completion-table.ts'

/** Both names of the program. */
const programs = ['pipeline-understudy', 'understudy']

/**
 * A script for a shell: it holds all that may be typed, so that no key waits for a process. Where there is no list of values the
 * shell completes files.
 */
export function completionScript(program: CommandUnknownOpts, shell: 'bash' | 'zsh' | 'fish'): string {
  return scripts[shell](tableOf(program))
}

const scripts: Readonly<Record<'bash' | 'zsh' | 'fish', (rows: readonly Completable[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

const namesOf = (words: readonly Word[]) => shellWord(words.map(({ name }) => name).join(' '))
const commandPaths = (rows: readonly Completable[]) =>
  rows.map(({ path }) => path).filter((path) => path !== '')

/** The lines of a `case` over the command and the word before: the values of each flag that takes one. */
function valueCases(rows: readonly Completable[], line: (flag: Flag) => string): string[] {
  return rows.flatMap(({ path, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map((flag) => `    ${shellWord(`${path} ${flag.name}`)}) ${line(flag)} ;;`),
  )
}

/** Reads in bash and zsh which command has been typed so far. */
function readPath(rows: readonly Completable[], words: string, from: number, to: string): string {
  const paths = commandPaths(rows).map(shellWord).join('|')
  return `  for ((index = ${from}; index < ${to}; index++)); do
    case "\${typed:+$typed }\${${words}[index]}" in
      ${paths}) typed="\${typed:+$typed }\${${words}[index]}" ;;
    esac
  done`
}

function bashScript(rows: readonly Completable[]): string {
  const names = rows.map(
    ({ path, words, flags, takesAny }) =>
      `    ${shellWord(path)}) words=${namesOf(words)}; flags=${namesOf(flags)}; any=${takesAny ? 'yes' : ''} ;;`,
  )
  return `# Completion of ${programs.join(' and ')} for bash: source <(npx pipeline-understudy completion bash)
_pipeline_understudy() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local typed='' words='' flags='' any='' index
  # bash makes three words of --name=value.
  if [[ $current == '=' ]]; then current=''
  elif [[ $previous == '=' ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
${readPath(rows, 'COMP_WORDS', 1, 'COMP_CWORD')}
  COMPREPLY=()
  case "$typed $previous" in
${valueCases(rows, ({ values }) => (values.length === 0 ? 'return' : `COMPREPLY=($(compgen -W ${shellWord(values.join(' '))} -- "$current")); return`)).join('\n')}
  esac
  case "$typed" in
${names.join('\n')}
  esac
  [[ $current != -* && -n $any ]] && return
  [[ $current != -* && -n $words ]] && flags=''
  COMPREPLY=($(compgen -W "$words $flags" -- "$current"))
}
complete -o default -F _pipeline_understudy ${programs.join(' ')}
`
}

/** A word of zsh with what it is, as `_describe` takes it. */
const described = ({ name, description }: Word) => shellWord(`${name.replaceAll(':', '\\:')}:${description}`)

function zshScript(rows: readonly Completable[]): string {
  const names = rows.map(
    ({ path, words, flags, takesAny }) =>
      `    ${shellWord(path)})
      found=(${words.map(described).join(' ')})
      flags=(${flags.map(described).join(' ')})
      any=${takesAny ? 'yes' : ''} ;;`,
  )
  return `#compdef ${programs.join(' ')}
# Completion of ${programs.join(' and ')} for zsh: source <(npx pipeline-understudy completion zsh)
_pipeline_understudy() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" typed='' any='' index
  local -a found flags
${readPath(rows, 'words', 2, 'CURRENT')}
  case "$typed $previous" in
${valueCases(rows, ({ values }) => (values.length === 0 ? '_files; return' : `compadd -- ${values.map(shellWord).join(' ')}; return`)).join('\n')}
  esac
  case "$typed" in
${names.join('\n')}
  esac
  if [[ $current == -* ]]; then _describe 'flag' flags
  elif [[ -n $any ]]; then _files
  elif (( \${#found} )); then _describe 'command' found
  else _describe 'flag' flags; fi
}
compdef _pipeline_understudy ${programs.join(' ')}
`
}

function fishScript(rows: readonly Completable[]): string {
  const paths = commandPaths(rows)
  const lines = rows.flatMap(({ path, words, flags, takesAny }) => {
    const isTyped = `-n ${shellWord(`__pipeline_understudy_at ${shellWord(path)}`)}`
    const filesToo = takesAny ? '-F' : '-f'
    return [
      `complete -c $program ${isTyped} ${filesToo}`,
      ...words.map(
        ({ name, description }) =>
          `complete -c $program ${isTyped} -a ${shellWord(name)} -d ${shellWord(description)}`,
      ),
      ...flags.map(({ name, description, takesValue, values }) => {
        const kind = name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`
        const value = !takesValue
          ? ''
          : values.length === 0
            ? ' -r -F'
            : ` -x -a ${shellWord(values.join(' '))}`
        return `complete -c $program ${isTyped} ${kind}${value} -d ${shellWord(description)}`
      }),
    ]
  })
  return `# Completion of ${programs.join(' and ')} for fish: npx pipeline-understudy completion fish | source
function __pipeline_understudy_at
  set -l typed ''
  for word in (commandline -opc)[2..-1]
    set -l longer (string trim -- "$typed $word")
    if contains -- "$longer" ${paths.map(shellWord).join(' ')}
      set typed "$longer"
    end
  end
  test "$argv[1]" = "$typed"
end
for program in ${programs.join(' ')}
${lines.map((line) => `  ${line}`).join('\n')}
end
`
}
