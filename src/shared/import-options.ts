import { quote } from './errors.ts'
import { UnderstudyError } from './understudy-error.ts'
import { isObject } from './values.ts'

export interface ImportOptions {
  /** Use the fixture for `reset()` and for new worlds, too. Default: it replaces the present state only. */
  readonly asStart?: boolean
}

/**
 * Reports whether a fixture replaces the initial state.
 *
 * @throws UnderstudyError where an option is none, or has a value that it does not take.
 */
export function becomesStart(options: ImportOptions = {}): boolean {
  const wrong = isObject(options)
    ? Object.entries(options).find(
        ([name, value]) => name !== 'asStart' || !(typeof value === 'boolean' || value === undefined),
      )
    : ['options', options]
  if (wrong === undefined) return options.asStart ?? false
  throw new UnderstudyError(
    'OPTION_INVALID',
    `import: expected { asStart: true }, or nothing; found ${quote(wrong[1])} as ${wrong[0]}.`,
  )
}
