import type { Command } from '@commander-js/extra-typings'
import type { ProcessIo } from './process-io.ts'

/** Adds `understudy scenario list|check`. */
export function addScenarioCommand(program: Command, _: readonly string[], io: ProcessIo): void {
  const scenario = program.command('scenario').description('list or check start states with a name')
  scenario
    .command('list')
    .description('say which there are, for `serve --scenario`')
    .action(async () => (await import('./run-scenario.ts')).runList(io))
  scenario
    .command('check')
    .argument('<file>')
    .description('say whether one of your own can be started')
    .action(async (file: string) => (await import('./run-scenario.ts')).runCheckScenario(file, io))
}
