import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonObjectReader } from '../src/wire/json-object-reader.ts'

/** What comes of a text in pieces, or that it is refused. */
function read(text: string, cuts: readonly number[]): unknown {
  const reader = new JsonObjectReader()
  const places = [
    0,
    ...cuts.map((cut) => cut % (text.length + 1)).sort((one, other) => one - other),
    text.length,
  ]
  try {
    for (const [index, place] of places.slice(1).entries()) reader.push(text.slice(places[index], place))
    return reader.end()
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return 'refused'
  }
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : 'refused'
  } catch {
    return 'refused'
  }
}

const cuts = fc.array(fc.nat(10_000), { maxLength: 8 })
const value = fc.jsonValue({ maxDepth: 4 })
const object = fc.dictionary(fc.string({ maxLength: 4 }), fc.oneof(value, fc.array(value, { maxLength: 4 })))

it('reads in pieces what JSON.parse reads at once, however it is laid out', () => {
  fc.assert(
    fc.property(object, cuts, fc.constantFrom(undefined, 1, '\t', '\r\n'), (given, cuts, space) => {
      const text = JSON.stringify(given, null, space)
      expect(read(text, cuts)).toEqual(parse(text))
    }),
  )
})

it('refuses what JSON.parse refuses', () => {
  const change = fc.tuple(
    fc.nat(10_000),
    fc.constantFrom('', ',', '{', '}', '[', ']', '"', ':', '\\', '1', ' ', 'x'),
  )
  fc.assert(
    fc.property(fc.oneof(object, value), cuts, change, (given, cuts, [at, inserted]) => {
      const text = JSON.stringify(given)
      const place = at % (text.length + 1)
      const changed = text.slice(0, place) + inserted + text.slice(place + 1)
      expect(read(changed, cuts)).toEqual(parse(changed))
    }),
    { numRuns: 2_000 },
  )
})
