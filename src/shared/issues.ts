import * as z from 'zod/mini'
import { quote } from './errors.ts'
import { hidden } from './hidden.ts'
import { isDoubtfulName, isPlainValue, isSecretName } from './secret-names.ts'
import { unknownKey } from './suggest.ts'
import { isObject, required } from './values.ts'

/** Error in a value: its path, the actual value and the expected one. */
export interface Flaw {
  /** Path such as `backfill.variables` or `blocks[2].name`. */
  readonly path: string
  readonly expected: string
  readonly found: string
}

/**
 * Describes errors of zod in one line, with the field and the expected value.
 *
 * @example
 * describeIssues(issues, { status: 'x' }, 'backfill')
 * // 'backfill.status: expected one of initial, running, completed; found "x"'
 */
export function describeIssues(issues: readonly z.core.$ZodIssue[], input: unknown, root: string): string {
  return issues
    .slice(0, 3)
    .map((issue) => {
      const { path, expected, found } = toFlaw(issue, input, root)
      return `${path}: expected ${expected}; found ${found}`
    })
    .join('. ')
}

/** Hides the actual value of a credential: other people may read the error. */
export function withoutSecret(flaw: Flaw): Flaw {
  const names = flaw.path.split(/[.[\]$?]+/).filter((name) => /\D/.test(name))
  const isPlain = flaw.found === 'nothing' || isPlainValue(flaw.found.replaceAll('"', ''))
  const isSecret = names.some(isSecretName) || (isDoubtfulName(names.at(-1) ?? '') && !isPlain)
  return isSecret && flaw.found !== 'nothing' ? { ...flaw, found: hidden } : flaw
}

export function toFlaw(issue: z.core.$ZodIssue, input: unknown, root: string): Flaw {
  return withoutSecret(describeIssue(issue, input, root))
}

/** Parses a value by a schema. Errors about an unknown name, at any depth, contain the known ones. */
export function parseBy<Schema extends z.core.$ZodType>(schema: Schema, value: unknown) {
  return z.safeParse(schema, value, { error: expectKnownKey })
}

function expectKnownKey({ code, keys, inst }: z.core.$ZodRawIssue): string | undefined {
  if (code !== 'unrecognized_keys') return undefined
  const definition: object = inst?._zod.def ?? {}
  const known = 'shape' in definition && isObject(definition.shape) ? Object.keys(definition.shape) : []
  return known.length === 0 ? 'no key' : unknownKey(String(keys?.[0]), known).expected
}

/** Describes the first of several issues. An unknown name explains why another one is missing. */
export function firstFlaw({ issues }: z.core.$ZodError, input: unknown, root: string): Flaw {
  return toFlaw(required(firstOf(issues), 'an issue of zod'), input, root)
}

function firstOf(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined {
  return issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
}

function describeIssue(issue: z.core.$ZodIssue, input: unknown, root: string): Flaw {
  // A union reports the errors of each branch. The first branch with the type of the value has the best one.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const deeper = issue.errors.map(firstOf).find((error) => error && error.path.length > 0)
    if (deeper) return describeIssue({ ...deeper, path: [...issue.path, ...deeper.path] }, input, root)
    const nested = issue.errors.map(firstOf).filter((error) => error !== undefined)
    const expected = [...new Set(nested.map(expectation))].join(' or ')
    return { path: join(root, issue.path), expected, found: found(valueAt(input, issue.path)) }
  }
  if (issue.code === 'unrecognized_keys')
    return {
      path: join(root, [...issue.path, issue.keys[0] ?? '']),
      expected: issue.message,
      found: 'an unknown key',
    }
  const { path } = issue
  return { path: join(root, path), expected: expectation(issue), found: found(valueAt(input, path)) }
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.join(', ')}`
    case 'invalid_type':
      return articled(
        issue.expected === 'int' ? 'integer' : issue.expected === 'record' ? 'object' : issue.expected,
      )
    case 'too_small':
      return issue.origin === 'string' ? `at least ${issue.minimum} character` : `at least ${issue.minimum}`
    case 'too_big':
      return `at most ${issue.maximum}`
    case 'invalid_key':
      return issue.issues[0] === undefined ? issue.message : expectation(issue.issues[0])
    default:
      return issue.message
  }
}

function articled(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : noun === 'null' ? 'null' : `a ${noun}`
}

function found(value: unknown): string {
  return value === undefined ? 'nothing' : quote(value)
}

function join(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text === '' ? String(part) : `${text}.${String(part)}`,
    root,
  )
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = Reflect.get(value, part)
  }
  return value
}
