import { withOtherCharacter } from '../runner/token-encodings.ts'

/** A credential similar to a correct one, but wrong in every encoding. Letter case may not matter. */
export interface InvalidCredential {
  readonly name: string
  /** Returns the credential to send, or undefined to send none. `other` is a correct credential of the other kind. */
  of(right: string, other: string): string | undefined
}

/** Sends no credential. */
export const noCredential: InvalidCredential = { name: 'no', of: () => undefined }

/** The wrong credentials that every operation receives in every place. */
export const likelyMisses: readonly InvalidCredential[] = [
  noCredential,
  {
    name: 'with another character in its second half',
    of: (right) => withOtherCharacter(right, Math.floor((right.length * 3) / 4)),
  },
]

/** An empty credential, which every operation receives as a key. */
export const emptyCredential: InvalidCredential = { name: 'empty', of: () => '' }

/** The wrong credentials to distribute over the operations. */
export const nearMisses: readonly InvalidCredential[] = [
  emptyCredential,
  { name: 'without its last character', of: (right) => right.slice(0, -1) },
  { name: 'with a character more', of: (right) => `${right}x` },
  { name: 'of the other kind', of: (_, other) => other },
  // Its last character may encode nothing.
  { name: 'with another character near its end', of: (right) => withOtherCharacter(right, -5) },
  { name: 'with another first character', of: (right) => withOtherCharacter(right, 0) },
]

/** Texts that a comparison may accept as any credential. A run sends each once as a key and once as a token. */
export const oddMisses: readonly InvalidCredential[] = [
  ...['%', '*', 'null', 'undefined'].map(
    (text): InvalidCredential => ({ name: `"${text}"`, of: () => text }),
  ),
  { name: 'after another one', of: (right) => `x,${right}` },
]

/** Wrong passwords that resemble a correct one. */
export const nearPasswords: readonly ((password: string, email: string) => unknown)[] = [
  (password) => withOtherCharacter(password, 0),
  // Wrong each time.
  (password) => withOtherCharacter(password, 0),
  (password) => password.slice(0, -1),
  (password) => `${password}x`,
  () => '',
  () => undefined,
  (_, email) => email,
  () => '%',
  (password) => `${password}'`,
  () => null,
  // Other JSON types, and an operator of a query language.
  () => true,
  () => ({ $ne: '' }),
]

/** Unknown addresses that resemble a known one. */
export const nearEmails: readonly ((email: string) => string | null | undefined)[] = [
  (email) => `x${email}`,
  (email) => email.slice(0, -1),
  () => '',
  () => '%',
  () => null,
]
