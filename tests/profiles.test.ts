import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Deviations, OperationDeviation, ResourceDeviation } from '../src/profiles/define-profile.ts'
import type { ErrorDeviation } from '../src/profiles/error-answers.ts'
import { profiles } from '../src/profiles/index.ts'
import { resources } from '../src/resources/index.ts'

/** Returns attributes of a deviation that neither the table nor the profile has. */
function unknownIn(profile: Deviations): string[] {
  return resources.flatMap(({ plural, attributes, derived = {}, operations, presents }) => {
    const own = (profile.resources as Readonly<Record<string, ResourceDeviation>>)[plural]
    const deviations = operations.map(({ id }) => ({
      id,
      ...(profile.operations as Readonly<Record<string, OperationDeviation>>)[id],
    }))
    const added = [own?.adds, own?.knows, ...deviations.map(({ adds }) => adds)]
    const known = new Set([
      ...Object.keys(attributes.shape),
      ...Object.keys(derived),
      ...added.flatMap((each) => Object.keys(each ?? {})),
      ...(presents === 'all' ? [] : presents),
    ])
    const named = [
      ...(own?.presentsWithin ?? []).map((name) => [plural, name] as const),
      ...deviations.flatMap(({ id, lacks = [], parameters = [] }) =>
        [...lacks, ...parameters.flatMap(({ adds }) => adds?.attributes ?? [])].map(
          (name) => [id, name] as const,
        ),
      ),
    ]
    return named.filter(([, name]) => !known.has(name)).map(([where, name]) => `${where}: ${name}`)
  })
}

/** The parameters in the paths of an operation's own routes that none of the table's has. */
function unexpectedIn({ operations: deviations }: Deviations): string[] {
  return resources.flatMap(({ operations }) =>
    operations.flatMap(({ id, routes }) => {
      const known = new Set(routes.flatMap(({ path }) => path.match(/:\w+/g) ?? []))
      const own = (deviations as Readonly<Record<string, OperationDeviation>>)[id]?.routes ?? []
      return own
        .flatMap(({ path }) => path.match(/:\w+/g) ?? [])
        .filter((name) => !known.has(name))
        .map((name) => `${id}: ${name}`)
    }),
  )
}

it.each(Object.values(profiles))(
  'names only existing attributes and parameters in the profile of $name',
  (profile) => {
    expect(unknownIn(profile)).toEqual([])
    expect(unexpectedIn(profile)).toEqual([])
  },
)

it.each(Object.values(profiles))(
  'has no line for an error of $name that an earlier line matches',
  ({ errors }) => {
    const takes = ({ when }: ErrorDeviation, { when: other }: ErrorDeviation) =>
      when.type === other.type &&
      (when.missing === undefined || when.missing === other.missing) &&
      (when.operation === undefined || when.operation === other.operation)
    const idle = errors.filter((line, index) => errors.slice(0, index).some((before) => takes(before, line)))

    expect(idle.map(({ when }) => when)).toEqual([])
  },
)

/** The names of evidence in a profile: a recorded exchange, a sequence, or a request of a client. */
const labelsOf: Readonly<Record<string, (rest: string) => boolean>> = {
  learned: (rest) => operationIds.has(rest.split(' ')[0]),
  client: (rest) => /^(?:GET|POST|PUT|DELETE) \w/.test(rest),
}
const operationIds = new Set<string | undefined>(
  resources.flatMap(({ operations }) => operations.map(({ id }) => id)),
)

it.each(Object.values(profiles))('names the evidence of each deviation of $name', async (profile) => {
  const path = join(import.meta.dirname, `../fixtures/recorded/${profile.name}/labels.json`)
  const { labels } = JSON.parse(await readFile(path, 'utf8')) as { readonly labels: readonly string[] }
  const { errors, resources: ofResources, operations } = profile
  const lines = [...errors, ...Object.values(ofResources), ...Object.values(operations)]
  const unknown = lines.filter(({ observed }) => {
    const [, by = '', rest = ''] = /^(\w+): (.*)$/.exec(observed) ?? []
    return !(labelsOf[by]?.(rest) ?? labels.includes(observed))
  })

  expect(lines.length).toBeGreaterThan(30)
  expect(unknown.map(({ observed }) => observed)).toEqual([])
})
