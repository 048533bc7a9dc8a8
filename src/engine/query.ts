import type { Operation, QueryParameter } from '../resources/define-resource.ts'
import { quote, recordInvalid } from '../wire/errors.ts'

/** The query of a request by name; `tag[]` and others that may be repeated hold a list. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>

const none: Query = Object.freeze({})
const integerPattern = /^\d{1,15}$/

/** A request's path, and its query text without the question mark. */
export interface Target {
  readonly path: string
  readonly search: string
}

/** Splits a request's URL into its path and its query text, without scheme, host and fragment. */
export function splitUrl(url: string): Target {
  let start = 0
  if (!url.startsWith('/')) {
    const scheme = url.indexOf('://')
    const slash = scheme === -1 ? -1 : url.indexOf('/', scheme + 3)
    if (slash === -1) return { path: '/', search: '' }
    start = slash
  }
  const hash = url.indexOf('#', start)
  const end = hash === -1 ? url.length : hash
  const mark = url.indexOf('?', start)
  if (mark === -1 || mark >= end) return { path: url.slice(start, end), search: '' }
  return { path: url.slice(start, mark), search: url.slice(mark + 1, end) }
}

/**
 * Reads the parameters an operation knows; others are ignored.
 *
 * @throws ApiError `record_invalid` naming the parameter and what it takes.
 */
export function readQuery(operation: Operation, search: string): Query {
  if (search === '' || operation.parameters === undefined) return none
  const given = new URLSearchParams(search)
  const query: Record<string, string | string[] | undefined> = {}
  for (const parameter of operation.parameters) {
    if (parameter.filter?.match === 'any') {
      const values = given.getAll(parameter.name)
      if (values.length > 0) query[parameter.name] = values
      continue
    }
    const value = given.get(parameter.name)
    if (value === null) continue
    check(parameter, value)
    query[parameter.name] = value
  }
  return query
}

function check(parameter: QueryParameter, value: string): void {
  if (parameter.type === 'integer' && !integerPattern.test(value)) {
    throw recordInvalid(`${parameter.name}: expected a whole number of 0 or more; found ${quote(value)}.`)
  }
  if (parameter.allowed && !parameter.allowed.includes(value)) {
    const allowed = parameter.allowed.filter((spelling) => spelling !== '').join(', ')
    throw recordInvalid(`${parameter.name}: expected one of ${allowed}; found ${quote(value)}.`)
  }
}
