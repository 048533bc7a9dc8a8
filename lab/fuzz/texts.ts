import fc from 'fast-check'
import { anyCharacter } from '../../tests/support/any-character.ts'
import { type Bytes, utf8 } from './bytes.ts'

export const pick = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)
export const anyOf = (...values: readonly unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(...values)
export const rarely = <Value>(usual: fc.Arbitrary<Value>, rare: fc.Arbitrary<Value>, weight: number) =>
  fc.oneof({ weight: weight - 1, arbitrary: usual }, { weight: 1, arbitrary: rare })

const oddTexts = pick(
  '', ' ', '.', '../../tests/support', '~', '*', '%', '%2', '%zz', '%00', '%2f', '%2F..%2f', '%2e%2e',
  '%ff', '%c0%af', '%ED%A0%80', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null',
  'undefined', 'NaN', '-1', '1e9', '0x10', '1.5', '9007199254740993', '99999999999999999999', '0', '00',
  '+1', '💥', 'ß', 'İ', 'ſ', '\u202e', '﷽', 'a\u0300', 'let-me-in', 'daily_sales', 'daily-sales', 'load',
  'sum_up', 'True', "' or 1=1--", '{{7*7}}', '<script>', '#{x}', '?', '&', '=', '#', ';', ',', '\\', '"',
  '|', '[]', '[0]', '$where', '../../etc/passwd', '..%5c..%5c',
) // biome-ignore format: a list
export const text = fc.oneof(
  oddTexts,
  fc.string({ maxLength: 12 }),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
)
export const longText = fc
  .tuple(pick('a', '%41', '💥', '/', '../../tests/support/', '%2f'), fc.nat(1_200))
  .map(([unit, times]) => unit.repeat(times))

/** Characters that end a request line, or that the parser refuses in it. */
const notInTarget = /[^!-~]/g
export const toTarget = (value: string): Bytes =>
  utf8(value).replaceAll(
    notInTarget,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
export const toField = (value: string): Bytes =>
  utf8(value)
    .replaceAll(/[\x00-\x08\x0a-\x1f\x7f]/g, '')
    .trim()

/** Names of worlds, some of them invalid. */
export const worldNames = pick(
  ...[
    'main', 'alice', 'bob', 'constructor', 'toString', 'A', 'w_1', 'w-2', '0',
    'x'.repeat(64),
    'x'.repeat(65),
  ],
  '', '-x', '_x', '__proto__', 'a b', 'a,b', 'é', '../main', 'a~b', '%61', 'a\tb', '💥', 'main ', '.',
) // biome-ignore format: a list
export const apiKey = fc
  .tuple(pick('fuzz-key', 'wrong', '', '~', '💥'), pick('', '~', '~~', '%7E', '%7e'), worldNames)
  .map(([key, separator, world]) => key + separator + world)
