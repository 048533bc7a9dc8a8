/** What comes near a right credential, and is none. */
export interface InvalidCredential {
  readonly name: string
  /** What is sent instead; undefined sends none. `other` is a right credential of the other kind. */
  of(right: string, other: string): string | undefined
}

/** Sends none at all, in no place. */
export const noCredential: InvalidCredential = { name: 'no', of: () => undefined }

/** Those that every operation is shown in every place. */
export const likelyMisses: readonly InvalidCredential[] = [
  noCredential,
  { name: 'empty', of: () => '' },
  { name: 'in another letter case', of: otherCase },
  { name: 'without its last character', of: (right) => right.slice(0, -1) },
  { name: 'with a character more', of: (right) => `${right}x` },
]

/** Those that operations share out. */
export const rareMisses: readonly InvalidCredential[] = [
  { name: 'of the other kind', of: (_, other) => other },
  // Within what signs a token: its last character may stand for no more than part of itself.
  { name: 'with another character near its end', of: (right) => withOther(right, right.length - 5) },
]

/** What comes near a right password, and is none. */
export const nearPasswords: readonly ((password: string, email: string) => string | undefined)[] = [
  (password) => otherCase(password),
  (password) => password.slice(0, -1),
  (password) => `${password}x`,
  (password) => ` ${password} `,
  () => '',
  () => undefined,
  (_, email) => email,
]

/** What comes near a known address, and is none. */
export const nearEmails: readonly ((email: string) => string | undefined)[] = [
  (email) => `x${email}`,
  (email) => email.slice(0, -1),
  () => '',
  () => '%',
]

function withOther(text: string, at: number): string {
  return `${text.slice(0, at)}${text.at(at) === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
}

/** Changes capitals to small letters and back. */
function otherCase(text: string): string {
  const upper = text.toUpperCase()
  return upper === text ? text.toLowerCase() : upper
}
