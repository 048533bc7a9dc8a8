import { seededHex } from './seeded.ts'

/** The pattern of a world's name, for the attribute `pattern` of an input, which matches whole values. */
export const worldNamePattern = '[A-Za-z0-9][A-Za-z0-9_\\-]{0,63}'

/** The pattern in words. */
export const worldNameRule = '1 to 64 letters, digits, - or _, the first a letter or digit'

/**
 * Returns the name of a world that only API keys have named. The text behind the `~` may belong to a secret.
 */
export function nameFromKey(suffix: string): string {
  return `key-${seededHex(0, suffix).slice(0, 12)}`
}

const wholeName = new RegExp(`^${worldNamePattern}$`)

/** Returns whether a value can be the name of a world. */
export function isWorldName(name: unknown): boolean {
  return typeof name === 'string' && wholeName.test(name)
}
