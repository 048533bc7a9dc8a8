import { attributeOperators } from './attributes.ts'
import { transitionOperators } from './backfill-states.ts'
import { blockOperators, protectionOperators } from './blocks.ts'
import { credentialOperators, sessionOperators } from './credentials.ts'
import { identityOperators } from './identity.ts'
import { laterOperators, leakingOperators, lifeCycleOperators } from './life-cycles.ts'
import { filterOperators, itemOperators, pageOperators } from './lists.ts'
import { recordOperators } from './records.ts'
import { errorOperators, metadataOperators, successOperators } from './replies.ts'
import { afterRefusalOperators, concurrencyOperators, formOperators, refusalOperators } from './requests.ts'
import { triggerAndLogOperators } from './schedules-and-logs.ts'
import { copyOperators, writeOperators } from './writes.ts'

/** All operators, by the kind of fault that they generate. */
export const kinds = {
  'state paths': transitionOperators,
  'protection rules': protectionOperators,
  values: writeOperators,
  'request forms': formOperators,
  'invalid requests': refusalOperators,
  'after a refusal': afterRefusalOperators,
  'life cycles': lifeCycleOperators,
  'later reads': laterOperators,
  'leaking state': leakingOperators,
  concurrency: concurrencyOperators,
  filters: filterOperators,
  pages: pageOperators,
  lists: itemOperators,
  'list metadata': metadataOperators,
  attributes: attributeOperators,
  records: recordOperators,
  blocks: blockOperators,
  'uuids and paths': identityOperators,
  'triggers and logs': triggerAndLogOperators,
  'event variables': copyOperators,
  credentials: credentialOperators,
  sessions: sessionOperators,
  errors: errorOperators,
  successes: successOperators,
} as const

/** A kind of fault. */
export type Kind = keyof typeof kinds
