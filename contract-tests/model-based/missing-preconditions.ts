import type { Need } from '../rules/define-rules.ts'
import { derivedRules } from '../rules/derived.ts'
import type { Provided, RunContext } from '../runner/run-context.ts'

const schedule = ({ useConventions }: Pick<Provided, 'useConventions'>) =>
  useConventions
    ? 'No sequence could create a schedule: the target refuses POST /api/pipelines/:uuid/pipeline_schedules, or does not store the name that was sent.'
    : 'A schedule is needed; pass --use-conventions so that the verifier may create one.'

/** Texts for missing preconditions, each with its remedy. */
export const lacking = {
  schedule,
  trigger: schedule,
  logs: () =>
    'No triggered run left log files of two blocks; trigger a pipeline with two blocks on the target.',
  login: () => 'The target checks no OAuth token; start it with REQUIRE_USER_AUTHENTICATION=1.',
  'sign-in': () => 'A user is needed; pass --email and --password.',
  'expired-token': () => 'A token that has expired is needed; pass --need expired-token=TOKEN.',
  'other-user': () => "Another user's token is needed; pass --need other-token=TOKEN.",
  'api-key': () => 'An API key is needed, and a target that checks it; pass --api-key.',
} satisfies Readonly<Record<Need, (provided: Provided) => string>>

/** Notes the missing precondition of each rule that no sequence was evidence for. */
export function noteMissing({ verdicts, provided }: RunContext): void {
  for (const { id, needs } of derivedRules) {
    const [need] = needs
    if (need !== undefined) verdicts.notReached([id], lacking[need](provided), 'need')
    // A target may leave every timestamp null, for ever.
    else if (id.endsWith('/timestamps'))
      verdicts.notReached([id], 'No reply of this operation carried a timestamp.', 'need')
    else verdicts.notReached([id], 'No sequence was evidence for it: see the failed rules.', 'replies')
  }
}
