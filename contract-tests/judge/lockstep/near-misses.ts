/** What comes near a right credential, and is none. */
export interface NearMiss {
  readonly name: string
  /** What is sent instead; undefined sends none. `other` is a right credential of the other kind. */
  of(right: string, other: string): string | undefined
}

/** Those that are tried at every operation. */
const always: readonly NearMiss[] = [
  { name: 'no', of: () => undefined },
  { name: 'in another letter case', of: otherCase },
  { name: 'without its last character', of: (right) => right.slice(0, -1) },
  { name: 'with a character more', of: (right) => `${right}x` },
]

/** Those that operations share out. */
const byTurns: readonly NearMiss[] = [
  { name: 'empty', of: () => '' },
  { name: 'of the other kind', of: (_, other) => other },
  { name: 'without its first character', of: (right) => right.slice(1) },
]

/** The near misses of the nth operation. */
export function nearMisses(nth: number): readonly NearMiss[] {
  return [...always, ...byTurns.filter((_, index) => index !== nth % byTurns.length)]
}

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

/** Changes capitals to small letters and back. */
function otherCase(text: string): string {
  const upper = text.toUpperCase()
  return upper === text ? text.toLowerCase() : upper
}
