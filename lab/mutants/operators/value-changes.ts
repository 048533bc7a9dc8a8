import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'

/** Creates another value, or returns the same one. */
export type Change = (value: unknown) => unknown

/** Changes strings. */
export const text =
  (change: (value: string) => unknown): Change =>
  (value) =>
    typeof value === 'string' ? change(value) : value

/** Changes numbers. */
export const number =
  (change: (value: number) => unknown): Change =>
  (value) =>
    typeof value === 'number' ? change(value) : value

/** Changes booleans. */
export const boolean =
  (change: (value: boolean) => unknown): Change =>
  (value) =>
    typeof value === 'boolean' ? change(value) : value

/** Changes arrays. */
export const array =
  (change: (value: readonly unknown[]) => unknown): Change =>
  (value) =>
    Array.isArray(value) ? change(value) : value

/** Changes objects. */
export const object =
  (change: (value: Json) => unknown): Change =>
  (value) =>
    isObject(value) ? change(value) : value

/** Changes the values of an object. */
export const members = (change: Change): Change =>
  object((value) => Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)])))

/** Selects the members of an object. */
export const entries = (select: (key: string, inner: unknown, index: number) => boolean): Change =>
  object((value) =>
    Object.fromEntries(Object.entries(value).filter(([key, inner], index) => select(key, inner, index))),
  )

/** Changes every array, at any depth. */
export const arrays =
  (change: (value: unknown[]) => unknown): Change =>
  (value) => {
    if (Array.isArray(value)) return change(value.map(arrays(change)))
    return members(arrays(change))(value)
  }

/** Changes every value, and renames every key, at any depth. */
export const deep =
  (change: Change, rename: (key: string) => string = (key) => key): Change =>
  (value) => {
    if (Array.isArray(value)) return value.map(deep(change, rename))
    if (!isObject(value)) return change(value)
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [rename(key), deep(change, rename)(inner)]),
    )
  }
