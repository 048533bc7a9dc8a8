import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonObjectReader, type ReaderOptions } from '../src/shared/json-object-reader.ts'

/** What comes of a text in pieces, or that it is refused. */
function read(text: string, cuts: readonly number[], options?: ReaderOptions): unknown {
  const reader = new JsonObjectReader(options)
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
const depth = fc.record({ deepest: fc.integer({ min: 1, max: 4 }) })
const object = fc.dictionary(fc.string({ maxLength: 4 }), fc.oneof(value, fc.array(value, { maxLength: 4 })))

it('reads in pieces what JSON.parse reads at once, however it is laid out', () => {
  fc.assert(
    fc.property(
      object,
      cuts,
      fc.constantFrom(undefined, 1, '\t', '\r\n'),
      depth,
      (given, cuts, space, depth) => {
        const text = JSON.stringify(given, null, space)
        expect(read(text, cuts, depth)).toEqual(parse(text))
      },
    ),
  )
})

it('refuses what JSON.parse refuses', () => {
  const change = fc.tuple(
    fc.nat(10_000),
    fc.constantFrom('', ',', '{', '}', '[', ']', '"', ':', '\\', '1', ' ', 'x'),
  )
  fc.assert(
    fc.property(fc.oneof(object, value), cuts, change, depth, (given, cuts, [at, inserted], depth) => {
      const text = JSON.stringify(given)
      const place = at % (text.length + 1)
      const changed = text.slice(0, place) + inserted + text.slice(place + 1)
      expect(read(changed, cuts, depth)).toEqual(parse(changed))
    }),
    { numRuns: 2_000 },
  )
})

it('reads lists of any length in objects within one another, element by element, each of which is bounded', () => {
  const checked: unknown[] = []
  const options = { deepest: 3, mostValues: 3, check: (value: unknown) => checked.push(value) }
  const list = [{ a: 1 }, [2], 'x,[{', {}]
  const text = JSON.stringify({ fixture: { custom: { things: list }, next_ids: { things: 5, users: 6 } } })

  expect(read(text, [30], options)).toEqual(JSON.parse(text))
  expect(
    checked.filter((value) => list.some((each) => JSON.stringify(each) === JSON.stringify(value))),
  ).toEqual(list)
  expect(() => new JsonObjectReader(options).push('{"things":[[1,[2,3]]]}')).toThrow(RangeError)
  expect(() =>
    new JsonObjectReader({ ...options, deepest: 1 }).push('{"a":{"b":1,"c":2,"d":3,"e":4}}'),
  ).toThrow(RangeError)
})
