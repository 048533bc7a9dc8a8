import { findNamedSecrets } from './find-named-secrets.ts'
import type { KnownSecrets } from './known-secrets.ts'
import type { IsSecret } from './secret-names.ts'
import { findSecretPatterns } from './secret-patterns.ts'
import type { Span } from './span.ts'

/** Finds the credentials of a text by their names, their forms and their values. */
export function findCredentials(text: string, known: KnownSecrets<true>, isSecret?: IsSecret): Span[] {
  return [...findNamedSecrets(text, isSecret), ...findSecretPatterns(text), ...known.findIn(text)]
}
