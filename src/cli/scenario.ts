import type { Command } from '@commander-js/extra-typings'
import { createUnderstudy } from '../engine/create-understudy.ts'
import { naming } from './naming.ts'
import { print } from './output.ts'
import type { ProcessIo } from './process-io.ts'
import { readFixtureFile } from './read-fixture.ts'
import { readScenario, shippedScenarios } from './read-scenario.ts'

/** Adds the command `scenario` to the program. */
export function addCommand(program: Command, io: ProcessIo): void {
  const scenario = program.command('scenario').description('list or check scenarios (named initial states)')
  scenario
    .command('list')
    .description('list the scenarios for `serve --scenario`')
    .action(async () => {
      const scenarios = await createUnderstudy({ scenarios: shippedScenarios }).scenarios.list()
      const width = Math.max(...scenarios.map(({ name }) => name.length))
      for (const { name, description } of scenarios) print(io, `${name.padEnd(width)}  ${description}`)
    })
  scenario
    .command('check')
    .argument('<file>')
    .description('check a scenario file for errors')
    .action(async (file) => {
      const parts = await startOnce(file)
      print(io, `${file} can be started: ${parts.join(', ') || 'only a description'}.`)
    })
}

async function startOnce(file: string): Promise<readonly string[]> {
  const { name, scenario } = readScenario(file)
  const understudy = createUnderstudy({
    fixture: readFixtureFile('demo'),
    clock: 'system',
    scenarios: { [name]: scenario },
  })
  await naming({ scenario: file }, () => understudy.scenarios.start(name))
  return (await understudy.scenarios.list())[0]?.parts ?? []
}
