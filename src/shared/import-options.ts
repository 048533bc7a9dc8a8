import { quote } from './errors.ts'
import { UnderstudyError } from './understudy-error.ts'
import { isObject } from './values.ts'

/** How a fixture is imported. */
export interface ImportOptions {
  /** Whether `reset()` goes back to it from now on, and worlds are born from it. Default: it is the present state only. */
  readonly asStart?: boolean
}

/**
 * Whether a fixture becomes the start.
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
