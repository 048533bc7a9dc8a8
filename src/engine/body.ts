import type { Switches } from '../assumptions/switches.ts'
import { ApiError, quote, recordInvalid } from '../shared/errors.ts'
import { parseJson, TooDeepError } from '../shared/json.ts'
import * as limits from '../shared/limits.ts'
import { isNested } from '../shared/values.ts'
import type { UnderstudyRequest, UnreadBody } from './messages.ts'

const noBody: unknown = undefined
const apiMaximum = { bytes: limits.body, values: limits.bodyValues }

/** Replaces a body that is longer than the limit. */
export const tooLarge: UnreadBody = Symbol('too large')

const notText: UnreadBody = Symbol('The body is not UTF-8.')

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Decodes a body; byte order marks stay, so that every adapter passes on the same text. */
export function decodeBody(bytes: Uint8Array, maximum: number = limits.body): string | UnreadBody {
  if (bytes.length > maximum) return tooLarge
  try {
    return decoder.decode(bytes)
  } catch {
    return notText
  }
}

/**
 * Reads a JSON body; `undefined` where there is none.
 *
 * @throws ApiError `record_invalid` or `payload_too_large` (`invalid-body`, `body-limit`, `content-type`).
 */
export function readBody(
  { body, headers }: Pick<UnderstudyRequest, 'body' | 'headers'>,
  switches: Pick<Switches, 'content-type'>,
  maximum: { readonly bytes: number; readonly values: number } = apiMaximum,
): unknown {
  // A UTF-16 unit has at most three bytes in UTF-8, so few bodies need an exact count.
  const mayBeTooLarge = typeof body === 'string' && body.length * 3 > maximum.bytes
  if (body === tooLarge || (mayBeTooLarge && new TextEncoder().encode(body).length > maximum.bytes)) {
    throw new ApiError('payload_too_large', `The body is longer than ${maximum.bytes / 1024 / 1024} MB.`)
  }
  if (typeof body === 'symbol') throw recordInvalid(String(body.description))
  if (body === undefined || body === '') return noBody
  const type = headers?.['content-type']
  if (type !== 'application/json' && switches['content-type'] === 'checked') refuseOtherType(type)
  // Each value but the last takes at least two characters.
  if (body.length >= 2 * maximum.values && holdsMore(body, maximum.values))
    throw recordInvalid(`The body holds more than ${maximum.values} values.`)
  let value: unknown
  try {
    value = parseJson(body)
  } catch (error) {
    if (error instanceof TooDeepError)
      throw recordInvalid(`The body is nested deeper than ${limits.bodyDepth} levels.`)
    // Runtimes differ in the message of a syntax error. Replies are equal everywhere.
    throw recordInvalid('The body is not JSON.')
  }
  // Most bodies do not have the key, spelled out or escaped.
  if (/__proto__|\\u/.test(body)) refusePrototypes(value)
  return value
}

/** Reports whether a JSON text has more than the permitted number of values. */
function holdsMore(text: string, most: number): boolean {
  let count = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') index = endOfText(text, index)
    else if ((character === ',' || character === '[' || character === '{') && ++count > most) return true
  }
  return false
}

/** Returns the end of the JSON string that starts at `begin`: the next quotation mark that is not escaped. */
function endOfText(text: string, begin: number): number {
  let end = text.indexOf('"', begin + 1)
  if (text[end - 1] === '\\')
    for (end = begin + 1; end < text.length && text[end] !== '"'; end++) if (text[end] === '\\') end++
  return end < 0 ? text.length : end
}

function refuseOtherType(type: string | readonly string[] | undefined): void {
  if (typeof type !== 'string') return
  const essence = (type.split(';', 1)[0] ?? '').trim().toLowerCase()
  if (essence === 'application/json' || essence.endsWith('+json')) return
  throw recordInvalid(`Content-Type: expected application/json; found ${quote(type)}.`)
}

/** Refuses keys that would change an object's prototype when copied. */
function refusePrototypes(value: unknown): void {
  if (!isNested(value)) return
  if (!Array.isArray(value) && Object.hasOwn(value, '__proto__')) {
    throw recordInvalid('__proto__: expected no such key; found one in the body.')
  }
  for (const key in value) refusePrototypes(value[key])
}
