import { isSecretName } from '../shared/secret-names.ts'

/** Returns whether the value of a flag is or contains a credential. */
export function holdsSecret(flag: string): boolean {
  return isSecretName(flag) || flag === 'need'
}

/**
 * Removes values that may be credentials from an error about a flag, because CI logs have many readers. An unknown flag
 * may be the misspelled name of a secret one.
 */
export function withoutFlagValues(message: string): string {
  return message
    .replace(/^(error: unknown option '-[^=']*)=.*?'(?=\n|$)/s, "$1'")
    .replace(
      /^(error: option '(?:-\w, )?--([\w-]+)(?: [^']*)?' (?:argument|value) )'.*'(?= (?:is invalid|from env))/s,
      (whole, start: string, name: string) => (holdsSecret(name) ? `${start}that was given` : whole),
    )
}
