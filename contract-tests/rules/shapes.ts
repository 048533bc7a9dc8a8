import { isObject } from '../runner/is-object.ts'

/** The form that a value must have, and its words in a report. */
export interface Shape {
  readonly expected: string
  fits(value: unknown): boolean
}

const shape = (expected: string, fits: (value: unknown) => boolean): Shape => ({ expected, fits })

export const text = shape('a string', (value) => typeof value === 'string')
export const integer = shape('an integer', Number.isInteger)
export const boolean = shape('a boolean', (value) => typeof value === 'boolean')
export const array = shape('an array', Array.isArray)
export const object = shape('an object', isObject)

/** `YYYY-MM-DD HH:MM:SS`. */
export const secondsPattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/
/** `YYYY-MM-DD HH:MM:SS.ffffff+00:00`. */
export const microsecondsPattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d{6}\+00:00$/

/** A timestamp in either documented format. Another rule checks that the format is the correct one. */
export const timestamp = shape(
  'a timestamp in one of the two documented formats',
  (value) => typeof value === 'string' && (secondsPattern.test(value) || microsecondsPattern.test(value)),
)

/** A value, or null. */
export function maybe({ expected, fits }: Shape): Shape {
  return shape(`${expected}, or null`, (value) => value === null || fits(value))
}

/** An array whose elements all have the form. */
export function each({ expected, fits }: Shape): Shape {
  return shape(`an array, each element ${expected}`, (value) => Array.isArray(value) && value.every(fits))
}

/** An object whose named members have their forms, if present. */
export function objectWith({ expected, fits }: Shape, names: readonly string[]): Shape {
  return shape(
    `an object, in which ${names.join(', ')} ${names.length > 1 ? 'are each' : 'is'} ${expected}`,
    (value) => isObject(value) && names.every((name) => !Object.hasOwn(value, name) || fits(value[name])),
  )
}

/** One of the listed strings. */
export function oneOf(values: readonly string[]): Shape {
  return shape(`one of ${values.join(', ')}`, (value) => typeof value === 'string' && values.includes(value))
}
