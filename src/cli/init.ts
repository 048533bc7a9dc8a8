import { type Command, Option } from '@commander-js/extra-typings'

/** Adds `pipeline-understudy init`. */
export function addInitCommand(program: Command): void {
  program
    .command('init')
    .argument('[folder]', 'of the project', '.')
    .description('write what a project begins with: handlers, a fixture, a first test')
    .option('--yes', 'ask nothing, and leave what is there')
    .option('--dry-run', 'say what would be written, and write nothing')
    .addOption(
      new Option('--runner <name>', 'of the first test; default: what the project has').choices([
        'vitest',
        'jest',
        'playwright',
        'node',
      ] as const),
    )
    .option('--no-install', 'say which packages are missing instead of installing them')
    .action(async (folder, flags) => (await import('./run-init.ts')).runInit(folder, flags))
}
