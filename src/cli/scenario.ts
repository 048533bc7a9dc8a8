import type { Command } from '@commander-js/extra-typings'
import { createUnderstudy } from '../engine/create-understudy.ts'
import type { ProcessIo } from './process-io.ts'
import { readFixtureFile } from './read-fixture.ts'
import { namingScenario, readScenario, shippedScenarios } from './read-scenario.ts'

/** Adds `understudy scenario list|check`. */
export function addCommand(program: Command, { stdout }: ProcessIo): void {
  const scenario = program.command('scenario').description('list or check start states with a name')
  scenario
    .command('list')
    .description('say which there are, for `serve --scenario`')
    .action(async () => {
      const scenarios = await createUnderstudy({ scenarios: shippedScenarios }).scenarios.list()
      const width = Math.max(...scenarios.map(({ name }) => name.length))
      for (const { name, description } of scenarios) stdout.write(`${name.padEnd(width)}  ${description}\n`)
    })
  scenario
    .command('check')
    .argument('<file>')
    .description('say whether one of your own can be started')
    .action(async (file) => {
      const parts = await startOnce(file)
      stdout.write(`${file} can be started: ${parts.join(', ') || 'nothing but its sentence'}.\n`)
    })
}

/** Starts a scenario over the demo, and returns the names of its parts. */
async function startOnce(file: string): Promise<readonly string[]> {
  const { name, scenario } = await readScenario(file)
  const understudy = createUnderstudy({
    fixture: await readFixtureFile('demo'),
    clock: 'system',
    scenarios: { [name]: scenario },
  })
  await namingScenario(file, () => understudy.scenarios.start(name))
  return (await understudy.scenarios.list())[0]?.parts ?? []
}
