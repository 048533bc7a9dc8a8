import { isNested } from '../../shared/values.ts'

type Anything = (...given: never[]) => unknown

/** Members that take fixtures, which belong to no test yet. */
const takingFixtures = new Set<PropertyKey>(['extend', 'override', 'scoped'])

/**
 * Runs each function given to `test`, or to a member such as `test.concurrent` or `test.for`, inside its
 * test, which separates concurrent tests.
 *
 * @param extend takes the place of `test.extend`.
 */
export function wrapTest<Test extends Anything>(test: Test, inside: RunInside, extend?: object): Test {
  const wrapped = wrapMember(test, undefined, inside, true)
  if (extend === undefined) return wrapped
  return new Proxy(wrapped, {
    get: (_, name) => (name === 'extend' ? extend : Reflect.get(wrapped, name)),
  })
}

/** Runs a function inside the test with an id. */
export type RunInside = <Result>(id: string, run: () => Result) => Result

function wrapMember<Member extends Anything>(
  member: Member,
  owner: object | undefined,
  inside: RunInside,
  takesTests: boolean,
): Member {
  return new Proxy(member, {
    apply(_, __, given: unknown[]) {
      const wrapped = takesTests ? given.map((value) => wrapArgument(value, inside)) : given
      const result: unknown = Reflect.apply(member, owner, wrapped)
      return isFunction(result) ? wrapMember(result, undefined, inside, true) : result
    },
    get(_, name) {
      const value: unknown = Reflect.get(member, name, member)
      // Vitest expects its marked functions unchanged.
      if (!isFunction(value) || typeof name === 'symbol' || name in Function.prototype) return value
      return wrapMember(value, member, inside, !takingFixtures.has(name))
    },
  })
}

function wrapArgument(value: unknown, inside: RunInside): unknown {
  if (!isFunction(value)) return value
  const wrapped = function (this: unknown, ...given: unknown[]) {
    const context = given.find(isContext)
    const call = () => Reflect.apply(value, this, given)
    return context === undefined ? call() : inside(context.task.id, call)
  }
  // Vitest reads the fixtures of a test from the text of its function.
  Object.defineProperty(wrapped, 'length', { value: value.length })
  Object.defineProperty(wrapped, 'name', { value: value.name })
  return Object.assign(wrapped, value, { toString: () => value.toString() })
}

function isFunction(value: unknown): value is Anything {
  return typeof value === 'function'
}

function isContext(value: unknown): value is { task: { id: string } } {
  // The context of a test is a function.
  if (!(isNested(value) || isFunction(value)) || !('task' in value)) return false
  return isNested(value.task) && typeof value.task.id === 'string'
}
