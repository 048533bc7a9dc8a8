import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Clock, ClockOption } from '../engine/clock.ts'
import { createUnderstudy } from '../engine/create-understudy.ts'
import type { UnderstudyOptions } from '../engine/read-options.ts'
import type { Scenario, Scenarios } from '../engine/scenarios/scenario.ts'
import type { Fixture } from '../factories/fixture-type.ts'
import { createScenarios } from '../scenarios/create-scenarios.ts'
import { suggest } from '../shared/suggest.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { readJsonFile } from './files.ts'
import { fixturePath } from './read-fixture.ts'

/** The scenarios that ship; their fixtures are read when one is started. */
export const shippedScenarios: Scenarios = createScenarios({
  demo: () => readShipped('demo'),
  empty: () => readShipped('empty'),
})

function readShipped(name: string): Fixture {
  const fixture: Fixture = JSON.parse(readFileSync(fixturePath(name), 'utf8'))
  return fixture
}

/** A scenario by the name of one that ships, or from the user's own file, which gives it its name. */
export async function readScenario(name: string): Promise<{ name: string; scenario: Scenario }> {
  const shipped = Object.hasOwn(shippedScenarios, name) ? shippedScenarios[name] : undefined
  if (shipped !== undefined) return { name, scenario: shipped }
  const known = Object.keys(shippedScenarios)
  const hint = ` Pass a file, or one of ${known.join(', ')}.${suggest(name, known)}`
  // Checked where it is started.
  const scenario = (await readJsonFile(name, `the scenario ${name}`, hint)) as Scenario
  return { name: basename(name).replace(/\.json$/i, ''), scenario }
}

/** Runs something with a scenario and names its file in what is wrong with it. */
export async function namingScenario<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof UnderstudyError ? new Error(`${name}: ${error.detail}`) : error
  }
}

/** What worlds begin with that begin with a scenario: the records it comes to, its faults, its choices and its moment. */
export async function optionsOf(
  scenario: Scenario,
  options: UnderstudyOptions & { readonly fixture: Fixture },
): Promise<UnderstudyOptions & { readonly fixture: Fixture }> {
  const { faults = [], assumptions } = options
  const rehearsal = createUnderstudy({ ...options, faults: [], worlds: {}, journal: false })
  const made = typeof scenario.fixture === 'function' ? scenario.fixture() : scenario.fixture
  await rehearsal.scenarios.start({ ...scenario, ...(made && { fixture: made }) })
  const fixture = rehearsal.export()
  const clock = clockOf(rehearsal.clock, scenario.clock !== undefined || made?.clock !== undefined)
  rehearsal.dispose()
  return {
    ...options,
    ...(clock.option !== undefined && { clock: clock.option }),
    fixture: { ...fixture, ...(clock.option === 'frozen' && { clock: clock.start }) },
    faults: [...faults, ...(scenario.faults ?? [])],
    assumptions: { ...assumptions, ...scenario.assumptions },
  }
}

/** Where the clock of each world begins: where the scenario has brought its own, if it says anything of it. */
function clockOf(clock: Clock, isSaid: boolean): { readonly option?: ClockOption; readonly start: string } {
  const [speed, start] = [clock.speed(), new Date(clock.now()).toISOString()]
  if (!isSaid) return { start }
  return { option: speed > 0 ? { speed, start } : 'frozen', start }
}
