import { isPromise } from '../shared/built-ins.ts'
import { quote } from '../shared/errors.ts'
import { type Flaw, withoutSecret } from '../shared/issues.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { required } from '../shared/values.ts'

/** Maximum number of reported flaws. */
export const mostFlaws = 100

/**
 * Thrown for an invalid fixture, which changes nothing. `flaws` lists all errors.
 *
 * @example
 * expect(() => createUnderstudy({ fixture: { pipelines: [{ name: '' }] } })).toThrow(FixtureError)
 */
export class FixtureError extends UnderstudyError {
  /** The first flaw. */
  readonly flaw: Flaw

  constructor(given: Flaw | readonly Flaw[], name?: string) {
    const flaws = [given].flat().slice(0, mostFlaws).map(withoutSecret)
    const [first, ...others] = flaws
    const flaw = required(first, 'a flaw')
    const { path, expected, found } = flaw
    const which = name === undefined ? '' : ` ${name}`
    const more =
      others.length === 0
        ? ''
        : ` ${others.length} more ${others.length === 1 ? 'error' : 'errors'}: ${listed(others)}.`
    super(
      'FIXTURE_BROKEN',
      `The fixture${which} is broken at ${path}: expected ${expected}; found ${found}.${more}`,
      {
        flaws,
      },
    )
    this.name = 'FixtureError'
    this.flaw = flaw
  }
}

function listed(flaws: readonly Flaw[]): string {
  const paths = flaws.slice(0, 3).map(({ path }) => path)
  return `${paths.join(', ')}${flaws.length > 3 ? ', …' : ''}`
}

/** Runs a function, and adds its flaws to those of the fixture; returns nothing if it has any. */
export function gather<Result>(flaws: Flaw[], run: () => Result): Result | undefined {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    flaws.push(...error.flaws)
    return undefined
  }
}

/** @throws FixtureError */
export function refuse(path: string, expected: string, value: unknown): never {
  throw new FixtureError({ path, expected, found: found(value) })
}

/** Describes a value that is easily mistaken for another. */
function found(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (isPromise(value)) return 'a promise: await it first'
  const isModule = Object.prototype.toString.call(value) === '[object Module]'
  return isModule ? 'a module: import its default' : quote(value)
}
