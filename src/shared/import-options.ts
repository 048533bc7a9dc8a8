import { checkOptions, type OptionChecks } from './check-options.ts'

export interface ImportOptions {
  /** Use the fixture for `reset()` and for new worlds, too. Default: it replaces the present state only. */
  readonly asStart?: boolean
}

const checks: OptionChecks<ImportOptions> = {
  asStart: { expected: 'true or false', accepts: (value) => typeof value === 'boolean' },
}

/**
 * Returns whether a fixture replaces the initial state.
 *
 * @throws UnderstudyError if an option is unknown or has a wrong value.
 */
export function becomesStart(options: ImportOptions = {}): boolean {
  checkOptions('import', options, checks)
  return options.asStart ?? false
}
