import type { Need } from '../rules/define-rules.ts'
import { isDerived } from '../rules/derived.ts'
import type { Rule } from '../rules/index.ts'
import type { Provided, RunContext } from '../runner/run-context.ts'

const schedule = ({ useConventions }: Provided) =>
  useConventions
    ? 'No sequence could create a schedule: the target refuses POST /api/pipelines/:uuid/pipeline_schedules, or does not store the name that was sent.'
    : 'A schedule is needed; pass --use-conventions so that the verifier may create one.'

/** Texts for missing preconditions, each with its remedy; undefined if the precondition is met. */
const texts: Readonly<Record<Need, (provided: Provided) => string | undefined>> = {
  schedule,
  trigger: (provided) =>
    provided.useConventions
      ? `${schedule(provided)} Or pass --need schedule=ID:TOKEN.`
      : 'No schedule may be triggered; pass --need schedule=ID:TOKEN, or --use-conventions so that the verifier creates one.',
  logs: () =>
    'No triggered run left log files of two blocks; trigger a pipeline with two blocks on the target.',
  login: ({ checksTokens }) =>
    checksTokens
      ? undefined
      : 'The target checks no OAuth token; start it with REQUIRE_USER_AUTHENTICATION=1.',
  'sign-in': ({ email, password }) =>
    email !== undefined && password !== undefined
      ? undefined
      : 'A user is needed; pass --email and --password.',
  'expired-token': ({ expiredToken }) =>
    expiredToken === undefined
      ? 'A token that has expired is needed; pass --need expired-token=TOKEN.'
      : undefined,
  'other-user': ({ otherToken }) =>
    otherToken === undefined ? "Another user's token is needed; pass --need other-token=TOKEN." : undefined,
  'api-key': ({ checksKeys }) =>
    checksKeys ? undefined : 'An API key is needed, and a target that checks it; pass --api-key.',
}

/** Records the missing precondition of each of these rules without evidence. */
export function noteMissing({ verdicts, provided, missing }: RunContext, rules: readonly Rule[]): void {
  for (const { id, needs } of rules) {
    const text = needs
      .map((need) => missing[need] ?? texts[need](provided))
      .find((each) => each !== undefined)
    if (text !== undefined) verdicts.notReached([id], text, 'need')
    // A target may leave every timestamp null.
    else if (id.includes('timestamps'))
      verdicts.notReached([id], 'No reply of this operation contained a timestamp.', 'need')
    else if (isDerived(id))
      verdicts.notReached(
        [id],
        'No sequence reached a check of it. A failed rule can be the reason.',
        'replies',
      )
  }
}
