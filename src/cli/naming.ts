import { FaultError } from '../engine/faults/fault.ts'
import { FixtureError } from '../factories/fixture-error.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'

export interface LoadedFiles {
  readonly fixture?: string | undefined
  readonly faults?: string | undefined
  readonly scenario?: string | undefined
}

/** Runs a function, and names the file in its error. Each problem of a fixture has a line. */
export async function naming<Result>(
  { fixture, faults, scenario }: LoadedFiles,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof FixtureError && fixture !== undefined) throw nameFixture(fixture, error)
    const name = scenario ?? (error instanceof FaultError ? faults : undefined)
    throw error instanceof UnderstudyError && name !== undefined
      ? new Error(`${name}: ${error.detail}`)
      : error
  }
}

function nameFixture(name: string, { flaws }: FixtureError): Error {
  if (flaws.length === 1) return new FixtureError(flaws, name)
  const lines = flaws.map(({ path, expected, found }) => `  ${path}: expected ${expected}; found ${found}`)
  return new Error(`The fixture ${name} has ${lines.length} errors:\n${lines.join('\n')}`)
}
