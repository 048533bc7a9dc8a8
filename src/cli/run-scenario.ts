import { createUnderstudy } from '../engine/create-understudy.ts'
import { isError } from '../shared/built-ins.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import type { ProcessIo } from './process-io.ts'
import { readFixtureFile } from './read-fixture.ts'
import { readScenario, shippedScenarios } from './read-scenario.ts'

export async function runList({ stdout }: ProcessIo): Promise<void> {
  const scenarios = await createUnderstudy({ scenarios: shippedScenarios }).scenarios.list()
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  for (const { name, description } of scenarios) stdout.write(`${name.padEnd(width)}  ${description}\n`)
}

export async function runCheckScenario(file: string, { stdout }: ProcessIo): Promise<void> {
  const { name, scenario } = await readScenario(file)
  const understudy = createUnderstudy({
    fixture: await readFixtureFile('demo'),
    clock: 'system',
    scenarios: { [name]: scenario },
  })
  await naming(file, () => understudy.scenarios.start(name))
  const [{ parts } = { parts: [] }] = await understudy.scenarios.list()
  stdout.write(`${file} can be started: ${parts.join(', ') || 'nothing but its sentence'}.\n`)
}

/** Runs something with a scenario and names its file in what goes wrong. */
export async function naming<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof UnderstudyError) throw new Error(`${name}: ${error.detail}`)
    throw isError(error) ? error : new Error(String(error))
  }
}
