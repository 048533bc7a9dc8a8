import { type Flaw, withoutSecret } from './issues.ts'
import { UnderstudyError } from './understudy-error.ts'

/**
 * Thrown for an invalid record; the message names the attributes and the expected values.
 *
 * @example
 * await expect(understudy.model.backfills.create({ pipeline_uuid: 'nothing' })).rejects.toThrow(RecordError)
 */
export class RecordError extends UnderstudyError {
  constructor(action: string, given: readonly Flaw[]) {
    const flaws = given.map(withoutSecret)
    const reasons = flaws
      .slice(0, 3)
      .map(({ path, expected, found }) => `${path}: expected ${expected}; found ${found}`)
    super('RECORD_INVALID', `${action}: ${reasons.join('. ')}.`, { flaws })
    this.name = 'RecordError'
  }
}
