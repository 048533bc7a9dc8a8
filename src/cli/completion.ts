import { Argument, type Command } from '@commander-js/extra-typings'
import type { ProcessIo } from './process-io.ts'

/** Adds `pipeline-understudy completion`. */
export function addCompletionCommand(program: Command, _: readonly string[], io: ProcessIo): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'which shell completes').choices(['bash', 'zsh', 'fish'] as const))
    .description('print a script with which a shell completes commands, flags and their values')
    .action(async (shell) => {
      const { completionScript } = await import('./completion-scripts.ts')
      io.stdout.write(completionScript(program, shell))
    })
}
