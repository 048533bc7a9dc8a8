import { isObject } from '../../contract-tests/runner/is-object.ts'

/** A difference between the forms of two replies to one request. */
export interface FormDifference {
  /** Such as `backfill.started_at` or `pipeline.blocks[].content`. */
  readonly at: string
  readonly real: string
  readonly profile: string
}

const absent = 'absent'

/** Texts that differ each time, by their kind. */
const changing: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['seconds', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/],
  ['microseconds with the offset', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{6})?\+00:00$/],
  ['microseconds without the offset', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/],
  ['ISO 8601', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?(\+00:00)?$/],
  ['a token', /^[0-9a-f]{31,33}$/i],
  ['an id', /^\d+$/],
  ['a partition', /^\d+\/\d{8}T\d{6}(_\d{6})?$/],
]

/** Compares two values from the view of a client. Ids, times and tokens may differ. */
export function compareForms(real: unknown, profile: unknown, at = ''): FormDifference[] {
  if (isObject(real) && isObject(profile)) {
    const keys = new Set([...Object.keys(real), ...Object.keys(profile)])
    return [...keys].flatMap((key) => {
      const path = at === '' ? key : `${at}.${key}`
      if (!Object.hasOwn(real, key)) return [{ at: path, real: absent, profile: formOf(profile[key], key) }]
      if (!Object.hasOwn(profile, key)) return [{ at: path, real: formOf(real[key], key), profile: absent }]
      return compareForms(real[key], profile[key], path)
    })
  }
  if (Array.isArray(real) && Array.isArray(profile)) {
    if (real.length !== profile.length)
      return [{ at: `${at}.length`, real: String(real.length), profile: String(profile.length) }]
    const [seen, predicted] = [inOrder(real), inOrder(profile)]
    return seen.flatMap((item, index) => compareForms(item, predicted[index], `${at}[]`))
  }
  const name = at.split('.').at(-1) ?? ''
  const [seen, predicted] = [formOf(real, name), formOf(profile, name)]
  return seen === predicted ? [] : [{ at, real: seen, profile: predicted }]
}

/** Records by name, because a list may have records of the same second in any order. */
function inOrder(list: readonly unknown[]): readonly unknown[] {
  const nameOf = (item: unknown) => (isObject(item) ? `${item.uuid ?? item.name}` : '')
  return list.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
}

function formOf(value: unknown, name: string): string {
  if (typeof value === 'number' && /(^|_)id$/.test(name)) return 'an id'
  if (typeof value === 'string') {
    const found = changing.find(([, pattern]) => pattern.test(value))
    if (found !== undefined) return found[0]
  }
  const text = (JSON.stringify(value) ?? absent).replaceAll(/\bID \d+/g, 'ID n')
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
