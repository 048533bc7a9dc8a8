import { hidden } from './hidden.ts'

/** What carries credentials, whoever they are for, wherever in the name of a header. */
const secretHeader = /cookie|token|api-?key|secret|password/i
/**
 * The end of a word of a name, however its words are joined: `session[accessToken]`, `api_key`, `passWord`; with `key`, the
 * word before it. What says something about a credential is none: `token_type`.
 */
const secretWord =
  /(?:pass[\W_]?(?:words?|phrase)|[ps][\W_]?wd|secrets?|token|(?:api|access|private|secret|signing|encryption|master|ssh)[\W_]?key|(?<=[a-z\d][\W_])pass|(?<![a-z])otp|passcode|[cx]srf|authorization|bearer|cookies?|credentials?|jwt)(?![a-z])(?![\W_](?:type|policy|url)$)/i

const known = new Map<string, boolean>()
/** Clients may write any number of names. */
const mostKnown = 1_000
/** Longer names are looked at each time. */
const longestKnown = 200

/** Tells whether a header carries a credential: it has such a word wherever in its name. */
export function isSecretHeader(name: string): boolean {
  return secretHeader.test(name) || isSecretName(name)
}

/** Tells whether what stands under a name, in a path, query or body, is a credential. */
export function isSecretName(name: string): boolean {
  let isSecret = known.get(name)
  if (isSecret === undefined) {
    isSecret = secretWord.test(decodeName(name).replaceAll(/([a-z\d])([A-Z])/g, '$1 $2'))
    if (known.size < mostKnown && name.length <= longestKnown) known.set(name, isSecret)
  }
  return isSecret
}

/** Reads a name, or a value, of a URL, a form or a text that is written as JSON. */
export function decodeName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' ').replaceAll('\\u00', '%'))
  } catch {
    return name
  }
}

/** Writes a value into a URL or form; halves of characters, of which there are no bytes, become the sign that stands for them. */
export function encodeValue(value: string): string {
  return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'))
}

/** Tells whether what stands under a name is a credential: also a list of them (`api_keys`), and a text that is a `pass`. */
export function holdsSecret(name: string, value: unknown, isSecret = isSecretName): boolean {
  if (isSecret(name)) return true
  return Array.isArray(value) ? isSecret(nameOfOne(name)) : typeof value === 'string' && isPass(name)
}

/** What one of those is called that stand in a list. */
export function nameOfOne(name: string): string {
  return name.replace(/s$/i, '')
}

/** Tells whether a name is one under which a credential may stand, and as well a count or a result. */
export function isPass(name: string): boolean {
  return /^pass$/i.test(name)
}

/** Hides what stands under secret names in a value that is written as JSON; for `JSON.stringify`. */
export function hideSecrets(name: string, value: unknown): unknown {
  return (value ?? null) !== null && holdsSecret(name, value) ? hidden : value
}
