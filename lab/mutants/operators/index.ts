import type { Operator } from '../mutant.ts'
import { attributeOperators } from './attributes.ts'
import { blockOperators } from './block-lives.ts'
import { copyOperators } from './copies.ts'
import { creationOperators } from './creations.ts'
import { errorOperators } from './errors.ts'
import { filterOperators } from './filters.ts'
import { identityOperators } from './identity.ts'
import { itemOperators } from './items.ts'
import { credentialOperators } from './keys-and-tokens.ts'
import { metadataOperators } from './metadata.ts'
import { pageOperators } from './pages.ts'
import { recordOperators } from './record-lives.ts'
import { sessionOperators } from './sessions.ts'
import { successOperators } from './successes.ts'
import { triggerAndLogOperators } from './triggers-and-logs.ts'
import { writeOperators } from './writes.ts'

/** Every way to be wrong. */
export const operators: readonly Operator[] = [
  ...attributeOperators,
  ...writeOperators,
  ...copyOperators,
  ...pageOperators,
  ...itemOperators,
  ...metadataOperators,
  ...filterOperators,
  ...triggerAndLogOperators,
  ...recordOperators,
  ...blockOperators,
  ...creationOperators,
  ...identityOperators,
  ...credentialOperators,
  ...sessionOperators,
  ...errorOperators,
  ...successOperators,
]
