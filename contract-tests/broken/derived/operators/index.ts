import type { Operator } from '../mutant.ts'
import { attributeOperators } from './attributes.ts'
import { credentialOperators } from './credentials.ts'
import { filterOperators } from './filters.ts'
import { identityOperators } from './identity.ts'
import { listOperators } from './lists.ts'
import { replyOperators } from './replies.ts'
import { stateOperators } from './states.ts'
import { writeOperators } from './writes.ts'

/** Every way to be wrong. */
export const operators: readonly Operator[] = [
  ...attributeOperators,
  ...writeOperators,
  ...listOperators,
  ...filterOperators,
  ...stateOperators,
  ...identityOperators,
  ...credentialOperators,
  ...replyOperators,
]
