import { basename } from 'node:path'
import type { Clock, ClockOption } from '../engine/clock.ts'
import { createUnderstudy } from '../engine/create-understudy.ts'
import type { UnderstudyOptions } from '../engine/read-options.ts'
import type { Scenario, Scenarios } from '../engine/scenarios/scenario.ts'
import type { Fixture } from '../factories/fixture-type.ts'
import { readPackageFile } from '../files/package-folder.ts'
import { readJsonFile } from '../files/read-file.ts'
import { createScenarios } from '../scenarios/create-scenarios.ts'
import { suggest } from '../shared/suggest.ts'

/** The built-in scenarios; each reads its fixture when it starts. */
export const shippedScenarios: Scenarios = createScenarios({
  demo: () => readShipped('demo'),
  empty: () => readShipped('empty'),
})

function readShipped(name: string): Fixture {
  const fixture: Fixture = JSON.parse(readPackageFile(`fixtures/${name}.json`))
  return fixture
}

/** Reads a built-in scenario by name, or the user's own file, whose file name becomes the name of the scenario. */
export function readScenario(name: string): { name: string; scenario: Scenario } {
  const shipped = Object.hasOwn(shippedScenarios, name) ? shippedScenarios[name] : undefined
  if (shipped !== undefined) return { name, scenario: shipped }
  const known = Object.keys(shippedScenarios)
  const hint = ` Pass a file, or one of ${known.join(', ')}.${suggest(name, known)}`
  // The start validates it.
  const scenario = readJsonFile(name, `the scenario ${name}`, hint) as Scenario
  return { name: basename(name).replace(/\.json$/i, ''), scenario }
}

/** Adds the records, faults, assumptions and clock of a scenario to the options of new worlds. */
export async function optionsOf(
  scenario: Scenario,
  options: UnderstudyOptions & { readonly fixture: Fixture },
): Promise<UnderstudyOptions & { readonly fixture: Fixture }> {
  const { faults = [], assumptions } = options
  const trial = createUnderstudy({ ...options, faults: [], worlds: {}, journal: false })
  const made = typeof scenario.fixture === 'function' ? scenario.fixture() : scenario.fixture
  await trial.scenarios.start({ ...scenario, ...(made && { fixture: made }) })
  const fixture = trial.export()
  const clock = clockOf(trial.clock, scenario.clock !== undefined || made?.clock !== undefined)
  trial.dispose()
  return {
    ...options,
    ...(clock.option !== undefined && { clock: clock.option }),
    fixture: { ...fixture, ...(clock.option === 'frozen' && { clock: clock.start }) },
    faults: [...faults, ...(scenario.faults ?? [])],
    assumptions: { ...assumptions, ...scenario.assumptions },
  }
}

/** Returns the clock option and start time that a scenario leads to; no option if the scenario sets no clock. */
function clockOf(
  clock: Clock,
  setsClock: boolean,
): { readonly option?: ClockOption; readonly start: string } {
  const [speed, start] = [clock.speed(), new Date(clock.now()).toISOString()]
  if (!setsClock) return { start }
  return { option: speed > 0 ? { speed, start } : 'frozen', start }
}
