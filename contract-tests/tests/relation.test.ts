import { expect, it } from 'vitest'
import { assumptions } from '../../src/assumptions/index.ts'
import { resources } from '../../src/resources/index.ts'
import { bound, kinds, operationsOf, relationsOf, specialOf } from '../model-based/relation.ts'
import { documentLines } from '../rules/document.ts'
import { factsOf, operationIds } from '../runner/operation-facts.ts'

/** Records that no sequence creates, with the reason why their attributes are not compared. */
const uncompared: Readonly<Record<string, string>> = {
  logs: 'Runs write them, at a time of their own.',
  oauth_access_tokens: 'Whoever signs in makes them.',
  sessions: 'A session is a secret of the target.',
}

const documented = operationIds
  .map((id) => factsOf(id)!)
  .filter(
    ({ operation, routes }) =>
      operation === 'createSession' || routes.some(({ basis }) => basis === 'documented'),
  )
const presentedBy = (operation: string): string[] => {
  const { attributes } = documented.find((facts) => facts.operation === operation)!
  return attributes === 'all' ? [] : attributes.map(({ name }) => name)
}

it('compares the records of every documented operation but the listed ones', () => {
  const compared = kinds.flatMap((kind) => operationsOf(kind))
  const others = documented.filter(({ operation }) => !compared.includes(operation))

  // The items of the list of pipelines have no shape that is shown (`pipelines-list-shape`).
  expect(
    others
      .filter(({ operation }) => operation !== 'listPipelines')
      .map(({ plural }) => plural)
      .sort(),
  ).toEqual(Object.keys(uncompared).sort())
  expect(resources.map(({ plural }) => plural)).toEqual(expect.arrayContaining(Object.keys(uncompared)))
})

it.each(kinds)('has exactly one relation for each attribute of a %s', (kind) => {
  const presented = [...new Set(operationsOf(kind).flatMap(presentedBy))]

  expect([...relationsOf(kind).keys()].sort()).toEqual(presented.sort())
  expect(Object.keys(specialOf(kind)).filter((name) => !presented.includes(name))).toEqual([])
})

it.each(kinds)('names the assumption or the sentence for each unspecified attribute of a %s', (kind) => {
  for (const { is, reason, sentence } of relationsOf(kind).values()) {
    if (bound.some((each) => each === is)) {
      expect(sentence, is).toBeDefined()
      continue
    }
    if (typeof reason === 'string') expect(Object.keys(assumptions)).toContain(reason)
    else expect(documentLines()[reason!.line - 1]).toBe(reason!.text)
  }
})

it('requires specified values of a new record, and lets the target choose the others', () => {
  const of = (kind: (typeof kinds)[number], name: string) => relationsOf(kind).get(name)!.is

  expect(of('pipeline', 'executor_count')).toBe('equal')
  expect(of('pipeline', 'extensions')).toBe('constant')
  expect(of('block', 'name')).toBe('name')
  expect(of('block', 'executor_type')).toBe('constant')
  expect(of('block', 'retry_config')).toBe('constant')
  expect(of('block', 'config')).toBe('filled')
  expect(of('backfill', 'interval_units')).toBe('equal')
  expect(of('backfill', 'variables')).toBe('written')
  expect(of('schedule', 'settings')).toBe('constant')
  expect(of('run', 'variables')).toBe('constant')
  expect(of('run', 'event_variables')).toBe('equal')
})
