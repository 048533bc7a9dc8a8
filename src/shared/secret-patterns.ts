import type { Span } from './span.ts'

/** A JSON Web Token. It begins a word: a search from each `eyJ` of a long word would take quadratic time. */
export const webToken = /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g

/**
 * Texts that are credentials whatever their name is; of an address, the part that `secret` names. A repetition of
 * one class, `x{3}x*` instead of `x{3,}`, does not exhaust the stack in a word of many megabytes.
 */
const patterns: readonly RegExp[] = [
  /-----BEGIN [A-Z ]+-----[\s\S]*?(?=-----END|$)/g,
  webToken,
  /(?<![\w-])(?:sk|pk|rk|gh[opsu]|github_pat|glpat|xox[a-z]|AKIA|ASIA|AIza|npm|hf)[-_]?[A-Za-z0-9][\w-]{11}[\w-]*/g,
  /(?<![\w-])(?:do[opr]_v1_|shp(?:at|ca|pa|ss)_|gl(?:cbt|dt|ft|ptt|rt|soat)-|dckr_pat_|whsec_|lin_api_|sq0[a-z]{3}-|hv[bs]\.|SG\.|ya29\.|ATATT3|AGE-SECRET-KEY-1)[\w-]{12}[\w.=-]*/g,
  // Everyone who has the address of a webhook can send to it.
  /(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/(?:v\d{1,3}\/)?webhooks\/|webhook\.office\.com\/|outlook\.office(?:365)?\.com\/webhook\/|hooks\.zapier\.com\/hooks\/catch\/|maker\.ifttt\.com\/trigger\/[^\s/"'<>]{1,100}\/(?:json\/)?with\/key\/|api\.telegram\.org\/bot)(?<secret>\w[^\s"'<>]*)/gi,
]

/**
 * Finds credentials by their form: private keys in PEM, JSON Web Tokens, keys with the prefix of their issuer, addresses
 * of webhooks.
 */
export function findSecretPatterns(text: string): Span[] {
  return patterns.flatMap((pattern) => findPattern(text, pattern))
}

/** Finds the matches of a global pattern, or their part that is called `secret`. */
export function findPattern(text: string, pattern: RegExp): Span[] {
  // Most texts have no match, and `matchAll` would copy the expression for each of them.
  if (text.search(pattern) === -1) return []
  return Array.from(text.matchAll(pattern), ({ 0: found, index, groups }) => {
    const end = index + found.length
    return { start: end - (groups?.secret ?? found).length, end }
  })
}
