import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assumptions } from '../src/assumptions/index.ts'
import { type Assumption, createUnderstudy } from '../src/index.ts'
import { resources } from '../src/resources/index.ts'
import { notesOn, sectionOf, titleOf } from '../src/resources/notes.ts'

const root = join(import.meta.dirname, '..')
const document = readFileSync(join(root, 'docs/spec/pipeline-orchestration-api.md'), 'utf8')
const headings = new Set([...document.matchAll(/^#{1,3} (.+)$/gm)].map(([, heading]) => heading!))

const operations = resources.flatMap((resource) =>
  resource.operations.map((operation) => ({ resource, ...operation, title: titleOf(resource, operation) })),
)
const table: Readonly<Record<string, Assumption>> = assumptions

it('has every operation once, with a title, a route and a heading of the specification', () => {
  const ids = operations.map(({ id }) => id)
  const routes = operations.flatMap(({ routes }) => routes.map(({ method, path }) => `${method} ${path}`))

  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(routes).size).toBe(routes.length)
  expect(operations.filter(({ title }) => !title.includes(' '))).toEqual([])
  expect(operations.filter(({ routes }) => routes.length === 0)).toEqual([])
  expect(operations.filter((operation) => !headings.has(sectionOf(operation))).map(({ id }) => id)).toEqual(
    [],
  )
  const documented = operations.filter(({ routes }) => routes[0]?.basis === 'documented')
  expect(documented.filter(({ section }) => section === undefined).map(({ id }) => id)).toEqual([])
})

it('has in the rows of its resources every operation that is declared', async () => {
  const folder = join(root, 'src/resources')
  const files = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'operations.ts')))
  const modules = await Promise.all(
    files.map((name): Promise<Record<string, { id: string }>> => import(join(folder, name, 'operations.ts'))),
  )
  const declared = modules.flatMap((module) => Object.values(module).map(({ id }) => id))
  const ids = operations.map(({ id }) => id)

  expect(declared.length).toBeGreaterThan(20)
  expect(declared.filter((id) => !ids.includes(id))).toEqual([])
})

it('marks exactly the operations of the summary as documented', () => {
  const summary = document.slice(document.indexOf('### Summary'), document.indexOf('### Create pipeline'))
  const rows = [...summary.matchAll(/^\| ([^|]+) \| (GET|POST|PUT|DELETE) \| `([^`]+)` \|$/gm)]
  const documented = operations.filter(({ routes }) => routes[0]?.basis === 'documented')

  expect(rows).toHaveLength(14)
  expect(
    documented.map(({ title, routes }) => `${title}: ${routes[0]!.method} ${routes[0]!.path}`).sort(),
  ).toEqual(rows.map(([, title, method, path]) => `${title}: ${method} ${path}`).sort())
})

it('marks no other route as documented but the one of an example', () => {
  const further = operations.flatMap(({ id, routes }) =>
    routes.slice(1).map(({ method, path, basis }) => ({ id, method, path, basis })),
  )

  expect(further.filter(({ basis }) => basis === 'documented')).toEqual([
    {
      id: 'createBackfill',
      method: 'PUT',
      path: '/api/pipelines/:pipeline_uuid/backfills',
      basis: 'documented',
    },
  ])
  expect(notesOn({ plural: 'backfills' }).routes).toEqual({
    createBackfill: { PUT: 'One sample request uses PUT on the same path; the documented method is POST.' },
  })
  expect(document).toContain('One sample request for this operation uses the PUT method on the same path')
  expect(further.filter(({ basis }) => basis === 'custom')).toEqual([])
})

it('accepts every documented query parameter of an operation', () => {
  const listed: Record<string, string[]> = {}
  for (const [, heading, text] of document.matchAll(/^### (.+)\n([\s\S]*?)(?=^##)/gm)) {
    const names = [...text!.matchAll(/^\| `([^`]+)` \| query \|/gm)].map(([, name]) => name!)
    if (names.length > 0) listed[heading!] = names
  }
  const taken = (id: string) =>
    operations.find((operation) => operation.id === id)!.parameters!.map(({ name }) => name)

  expect(listed).toEqual({
    'Read pipelines': ['include_schedules'],
    'Delete block': ['block_type', 'force'],
    'Read backfills': ['_limit', '_offset', 'pipeline_uuid', 'include_run_count'],
    'Read pipeline schedules': ['tag[]'],
    'Read logs': ['_limit', '_offset', 'start_timestamp'],
    'Read OAuth tokens': ['_limit', '_offset', 'show_all'],
  })
  expect(taken('listPipelines')).toEqual(expect.arrayContaining(listed['Read pipelines']!))
  expect(taken('readPipeline')).toEqual(expect.arrayContaining(listed['Read pipelines']!))
  expect(taken('deleteBlock')).toEqual(expect.arrayContaining(listed['Delete block']!))
  expect(taken('listBackfills')).toEqual(expect.arrayContaining(listed['Read backfills']!))
  expect(taken('listPipelineSchedules')).toEqual(expect.arrayContaining(listed['Read pipeline schedules']!))
  expect(taken('listLogs')).toEqual(expect.arrayContaining(listed['Read logs']!))
  expect(taken('listOauthAccessTokens')).toEqual(expect.arrayContaining(listed['Read OAuth tokens']!))
})

it('describes every assumption with its reason, in a section of the specification', () => {
  for (const [id, { section, choice, why, values }] of Object.entries(table)) {
    expect({ id, hasHeading: headings.has(section) }).toEqual({ id, hasHeading: true })
    expect(choice).toMatch(/\S.+\.$/)
    expect(why).toMatch(/\S.+\.$/)
    if (values !== undefined) expect(values.length).toBeGreaterThanOrEqual(1)
  }
})

it('names no assumption that is not in the table', () => {
  const named = resources.flatMap(({ plural }) =>
    Object.values(notesOn({ plural }).assumptions ?? {}).flatMap((ids) => [...(ids ?? [])]),
  )

  expect(named.length).toBeGreaterThan(60)
  expect(named.filter((id) => !Object.hasOwn(table, id))).toEqual([])
})

it('takes every value that an assumption’s switch lists, and no other', () => {
  const switched = Object.entries(table).filter(([, { values }]) => values !== undefined)

  expect(switched.length).toBeGreaterThan(10)
  for (const [id, { values = [] }] of switched.filter(([id]) => id !== 'run-lifecycle')) {
    for (const value of values) expect(() => createUnderstudy({ assumptions: { [id]: value } })).not.toThrow()
    expect(() => createUnderstudy({ assumptions: { [id]: 'another' } })).toThrow(id)
  }
  for (const [id] of Object.entries(table).filter(([, { values }]) => values === undefined)) {
    expect(() => createUnderstudy({ assumptions: { [id]: 'any' } as never })).toThrow(id)
  }
})
