import { credentialLocations } from './credentials.ts'

/** What stands in the place of a credential that is not shown. */
export const hidden = '***'

const names = new Set(credentialLocations.map(({ name }) => name.toLowerCase()))
/** What carries credentials, whoever they are for, and what else is called so, wherever in its name. */
const secretHeader = /cookie|token|api-?key|secret|password/i
/** `passwd` and `pwd` end alike. */
const secretWord =
  /(?:passwords?|[ps]wd|passphrase|secrets?|token|apikey|authorization|cookie|credentials?|jwt)$/
/** Words that are secret where `key` stands behind them. */
const ofKeys = new Set(['api', 'access', 'private', 'secret', 'signing'])

/** The words of a name, however they are joined: `session[accessToken]` has `session`, `access` and `token`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
}

const known = new Map<string, boolean>()
/** Clients may write any number of names. */
const mostKnown = 1_000
/** Of a name that is longer, its beginning and its end are looked at. */
const longestLooked = 200

/** Tells whether a header carries a credential. */
export function isSecretHeader(name: string): boolean {
  return secretHeader.test(name) || isSecretName(name)
}

/** Tells whether what stands under a name, in a path, query or body, is a credential. */
export function isSecretName(name: string): boolean {
  let isSecret = known.get(name)
  if (isSecret === undefined) {
    const isLong = name.length > longestLooked
    const looked = isLong ? `${name.slice(0, longestLooked)} ${name.slice(-longestLooked)}` : name
    isSecret = names.has(name.toLowerCase()) || wordsOf(looked).some(isSecretWord)
    if (known.size >= mostKnown) known.clear()
    if (!isLong) known.set(name, isSecret)
  }
  return isSecret
}

function isSecretWord(word: string, index: number, words: readonly string[]): boolean {
  // Some write `passWord`.
  if (secretWord.test(`${words[index - 1] ?? ''}${word}`)) return true
  return word === 'key' && ofKeys.has(words[index - 1] ?? '')
}

/** Hides what stands under secret names in a value that is written as JSON; for `JSON.stringify`. */
export function hideSecrets(name: string, value: unknown): unknown {
  return name !== '' && value !== null && value !== undefined && isSecretName(name) ? hidden : value
}
