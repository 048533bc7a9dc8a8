import { stripVTControlCharacters } from 'node:util'

/** Returns the message of a failed assertion, without colors. */
export function messageOf(assertion: () => void): string {
  try {
    assertion()
  } catch (error) {
    return stripVTControlCharacters((error as Error).message)
  }
  throw new Error('The assertion passes.')
}
