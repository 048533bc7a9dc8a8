import { isSecretName } from '../shared/secret-names.ts'

/** Tells whether the value of a flag is a credential, or holds one. */
export function holdsSecret(flag: string): boolean {
  return isSecretName(flag) || flag === 'need'
}

/**
 * What is said of a flag that is wrong, without the value where it may be a credential: the log of a CI is read by many. A flag
 * that there is none of may be one that is misspelt.
 */
export function withoutFlagValues(message: string): string {
  return message
    .replace(/^(error: unknown option '-[^=']*)=.*?'(?=\n|$)/s, "$1'")
    .replace(
      /^(error: option '(?:-\w, )?--([\w-]+)(?: [^']*)?' (?:argument|value) )'.*'(?= (?:is invalid|from env))/s,
      (whole, start: string, name: string) => (holdsSecret(name) ? `${start}that was given` : whole),
    )
}
