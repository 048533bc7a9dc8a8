import { hidden } from './hidden.ts'

/** Words that make a header secret wherever they are in its name. */
const secretHeader =
  /cookie|token|api-?key|secret|password|session|dpop|assertion|(?:subscription|functions|license)-?key|(?<![a-z])auth(?![a-z])/i
/**
 * End of a word in a name: `session[accessToken]`, `api_key`, `passWord`; with `key`, the word before it.
 * Words that describe a credential are not secret: `token_type`.
 */
const secretWord =
  /(?:pass[\W_]?(?:words?|phrase)|[ps][\W_]?wd|secrets?|token|(?:api|access|account|private|secret|signing|encryption|master|ssh)[\W_]?key|(?<=^--?|[a-z\d][\W_])pass|(?<![a-z])otp|passcode|[cx]srf|authorization|bearer|cookies?|credentials?|jwt|signature|(?<![a-z])sig|sess(?:ion)?[\W_]?id|client[\W_]?assertion|saml[\W_]?(?:request|response)|code[\W_]?verifier|(?<=^_)auth|x[\W_]session|dpo[\W_]?p|connection[\W_]?string)(?![a-z])(?![\W_](?:type|policy|url)$)/i
/** Values that are no credential under a name that may also count or report something. */
const plainValue = /^(?:\d{1,15}(?:\.\d{1,15})?|true|false|null)?$/

export type IsSecret = (name: string) => boolean

export function isSecretHeader(name: string): boolean {
  return secretHeader.test(name) || isSecretName(name)
}

/**
 * Cache of results by name. Texts repeat few names; the size has a limit because clients can write any number
 * of names.
 */
const knownNames = new Map<string, boolean>()
const mostKnownNames = 1_000
const longestKnownName = 200

/** Returns whether a name, of a member, a parameter or a variable, means a credential. */
export function isSecretName(name: string): boolean {
  const known = knownNames.get(name)
  if (known !== undefined) return known
  const isSecret = secretWord.test(decodeName(name).replaceAll(/([a-z\d])([A-Z])/g, '$1 $2'))
  if (knownNames.size < mostKnownNames && name.length <= longestKnownName) knownNames.set(name, isSecret)
  return isSecret
}

/**
 * Returns whether a name may mean a credential, or else a count or a result: `tokens`, `api_keys`, `pass`. The redaction
 * hides texts and lists under such a name, but not numbers and flags.
 */
export function isDoubtfulName(name: string, isSecret: IsSecret = isSecretName): boolean {
  const word = withoutIndexes(name)
  return /^pass$/i.test(word) || (/s$/i.test(word) && isSecret(word.slice(0, -1)))
}

/** Removes the brackets that end the name of a parameter: `session[tokens]`, `tokens[0]`. */
function withoutIndexes(name: string): string {
  let end = name.length
  while (end > 0 && /[[\]\d]/.test(name.charAt(end - 1))) end--
  return name.slice(0, end)
}

export function isPlainValue(text: string): boolean {
  return plainValue.test(text)
}

export function isCredential(name: string, value: unknown, isSecret: IsSecret = isSecretName): boolean {
  if (value === null || value === undefined) return false
  if (isSecret(name)) return true
  if (typeof value === 'string') return isDoubtfulName(name, isSecret) && !isPlainValue(value)
  return Array.isArray(value) && isDoubtfulName(name, isSecret)
}

/** Hides credentials in a value by the names of its members; the replacer of `JSON.stringify`. */
export function hideSecrets(name: string, value: unknown): unknown {
  return isCredential(name, value) ? hidden : value
}

/** Reads the escapes of URLs and of JSON in a name. */
function decodeName(name: string): string {
  if (!/[%+\\]/.test(name)) return name
  try {
    return decodeURIComponent(name.replaceAll('+', ' ').replaceAll('\\u00', '%'))
  } catch {
    return name
  }
}
