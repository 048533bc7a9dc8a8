import { expect, it } from 'vitest'
import { documentLines, statementsIn } from '../rules/document.ts'
import { recordFields } from '../rules/fields.ts'
import { type OperationId, rules } from '../rules/index.ts'
import { factsOf, type OperationFacts, operationIds } from '../runner/operation-facts.ts'

function facts(operation: OperationId): OperationFacts {
  const found = factsOf(operation)
  if (found === undefined) throw new Error(`No operation ${operation}.`)
  return found
}

function attributesOf(operation: OperationId): string[] {
  const { attributes } = facts(operation)
  return attributes === 'all' ? [] : attributes.map(({ name }) => name)
}

const documented = operationIds.filter((id) => facts(id).routes.some(({ basis }) => basis === 'documented'))

it('has every documented operation, by method and path', () => {
  const rows = statementsIn('Summary').flatMap(({ text }) => {
    const [, method, path] = /^\| [^|]+ \| (GET|POST|PUT|DELETE) \| `([^`]+)` \|$/.exec(text) ?? []
    return method === undefined ? [] : [`${method} ${path}`]
  })
  const routes = documented.flatMap((id) =>
    facts(id)
      .routes.filter(({ basis }) => basis === 'documented')
      .map(({ method, path }) => `${method} ${path}`),
  )

  expect(rows).toHaveLength(14)
  // The specification shows this one in an example only, and gives no path of sessions.
  expect(routes.filter((route) => !rows.includes(route))).toEqual([
    'PUT /api/pipelines/:pipeline_uuid/backfills',
  ])
  expect(rows.filter((row) => !routes.includes(row))).toEqual([])
})

it('has an operation for each rule', () => {
  expect(rules.filter(({ operation }) => !operationIds.includes(operation))).toEqual([])
})

it('has a line of the specification for every presented attribute', () => {
  const unstated = documented.flatMap((id) => {
    const { attributes } = facts(id)
    if (attributes === 'all') return []
    return attributes.filter(({ stated }) => stated === undefined).map(({ name }) => `${id}.${name}`)
  })

  expect(unstated).toEqual([])
})

it('quotes the lines of the specification exactly', () => {
  const lines = documentLines()
  for (const id of documented) {
    const { stated, routes, parameters, writes, timestamps, needs } = facts(id)
    const all = [...routes, ...parameters, ...writes, timestamps, needs].flatMap((fact) => fact.stated ?? [])
    for (const { line, text } of all) expect(lines[line - 1]).toBe(text)
    expect(lines[stated.line - 1]).toMatch(new RegExp(`^#{2,3} ${stated.text}$`))
  }
})

it('presents exactly eight attributes of a created block', () => {
  expect(attributesOf('createBlock').sort()).toEqual([
    'config',
    'configuration',
    'content',
    'language',
    'name',
    'priority',
    'type',
    'upstream_blocks',
  ])
})

it('presents neither content nor outputs of a deleted block', () => {
  expect(attributesOf('deleteBlock')).not.toContain('content')
  expect(attributesOf('deleteBlock')).not.toContain('outputs')
})

it('writes timestamps in seconds only when a backfill is created, updated or deleted', () => {
  const short = documented.filter((id) => facts(id).timestamps.form === 'seconds')

  expect(short).toEqual(['createBackfill', 'updateBackfill', 'deleteBackfill'])
  expect(facts('createBackfill').timestamps.stated?.text).toContain('backfill create, update and delete')
})

it('lists the timestamps of a backfill', () => {
  const { attributes } = facts('listBackfills')
  const times = attributes === 'all' ? [] : attributes.filter(({ isTimestamp }) => isTimestamp)

  expect(times.map(({ name }) => name)).toEqual([
    'start_datetime',
    'end_datetime',
    'created_at',
    'updated_at',
    'started_at',
    'completed_at',
    'failed_at',
  ])
})

it('lists the required attributes', () => {
  const required = (operation: OperationId) =>
    facts(operation)
      .writes.filter(({ isRequired }) => isRequired)
      .map(({ name }) => name)

  expect(required('createPipeline')).toEqual(['name', 'type'])
  expect(required('createBlock')).toEqual(['name', 'type'])
  expect(required('createBackfill')).toEqual(['name'])
  expect(required('updateBackfill')).toEqual([])
})

it('lists the documented values, as the rules do', () => {
  const values = (operation: OperationId, attribute: string) =>
    facts(operation).writes.find(({ name }) => name === attribute)?.values
  const [pipeline, block, backfill] = recordFields

  expect(values('createPipeline', 'type')).toEqual(['integration', 'pyspark', 'python', 'streaming'])
  expect(values('createBlock', 'language')).toEqual(['python', 'sql', 'r', 'yaml', 'markdown'])
  expect(values('updateBackfill', 'status')).toEqual([
    'initial',
    'running',
    'completed',
    'failed',
    'cancelled',
  ])
  const pairs = [
    [pipeline.fields.type, values('createPipeline', 'type')],
    [block.fields.type, values('createBlock', 'type')],
    [block.fields.language, values('createBlock', 'language')],
    [backfill.fields.status, values('updateBackfill', 'status')],
    [backfill.fields.interval_type, values('updateBackfill', 'interval_type')],
  ] as const
  for (const [shape, allowed] of pairs) {
    expect(allowed?.filter((value) => !shape.fits(value))).toEqual([])
    expect(shape.expected).toContain(`one of ${allowed?.join(', ')}`)
  }
})

it('lists the attributes that a parameter adds to a reply', () => {
  const { parameters } = facts('listBackfills')

  expect(parameters.map(({ name, adds }) => [name, ...adds])).toEqual([
    ['_limit'],
    ['_offset'],
    ['pipeline_uuid'],
    ['include_run_count', 'total_run_count'],
  ])
  expect(parameters.find(({ name }) => name === '_offset')?.stated?.text).toContain('Skip the first N items')
})

it('lists the credentials that a request needs', () => {
  expect(facts('listBackfills').needs.credentials).toEqual(['api-key', 'oauth-token'])
  expect(facts('createSession').needs.credentials).toEqual(['api-key'])
  expect(facts('triggerPipeline').needs.credentials).toEqual([])
  expect(facts('triggerPipeline').needs.stated).toMatchObject({ section: 'Authentication', line: 429 })
})

it('returns undefined for an unknown operation', () => {
  expect(factsOf('readBackfils' as OperationId)).toBeUndefined()
})
