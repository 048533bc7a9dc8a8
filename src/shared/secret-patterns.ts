import type { Span } from './span.ts'

/**
 * Texts that are credentials whatever their name is. A repetition of one class, `x{3}x*` instead of `x{3,}`, does not
 * exhaust the stack in a word of many megabytes.
 */
const patterns: readonly RegExp[] = [
  /-----BEGIN [A-Z ]+-----[\s\S]*?(?=-----END|$)/g,
  /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g,
  /(?<![\w-])(?:sk|pk|rk|gh[opsu]|github_pat|glpat|xox[a-z]|AKIA|ASIA|AIza|npm|hf)[-_]?[A-Za-z0-9][\w-]{11}[\w-]*/g,
  // Everyone who has the address of a webhook can send to it.
  /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)\w[^\s"'<>]*/gi,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/)\w[^\s"'<>]*/gi,
  /(?<=webhook\.office\.com\/)\w[^\s"'<>]*/gi,
  /(?<=api\.telegram\.org\/bot)\w[^\s"'<>]*/gi,
]

/** Finds credentials by their form: private keys in PEM, JSON Web Tokens, keys with the prefix of their issuer. */
export function findSecretPatterns(text: string): Span[] {
  return patterns.flatMap((pattern) => findPattern(text, pattern))
}

/** Finds the matches of a global pattern. */
export function findPattern(text: string, pattern: RegExp): Span[] {
  return Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }))
}
