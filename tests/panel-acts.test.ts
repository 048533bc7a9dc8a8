import { expect, it } from 'vitest'
import { type Act, curlOf, runAct } from '../panel/src/store/acts.ts'
import { createRouteFinder } from '../src/admin/find-route.ts'
import { adminRoutes } from '../src/admin/index.ts'
import { createUnderstudy } from '../src/index.ts'
import { adminPath } from '../src/shared/addresses.ts'
import { UnderstudyError } from '../src/shared/understudy-error.ts'

const record = { plural: 'pipelines', where: { uuid: 'daily_sales' }, key: 'daily_sales' }

/** The arguments of each action of the panel. */
const acts: { readonly [Name in Act['name']]: Extract<Act, { readonly name: Name }>['given'] } = {
  'clock.advance': ['1h'],
  'clock.freeze': [],
  'clock.run': [60],
  'faults.add': [{ operation: 'listPipelines', drop: true }],
  'faults.remove': ['fault-1'],
  'faults.clear': [],
  'runs.script': [{ id: 1 }, 'running for 3 reads'],
  'runs.finish': [1, 'failed'],
  'runs.advance': [1],
  'journal.clear': [],
  'assumptions.switch': [{ cors: 'none' }],
  'scenarios.start': ['slow'],
  signOut: [],
  reset: [],
  undo: [],
  snapshot: ['before'],
  restore: ['before'],
  import: [{}],
  'worlds.create': ['alice'],
  'worlds.delete': ['alice'],
  create: ['pipelines', { name: 'daily sales' }],
  make: ['pipeline', ['failing'], {}],
  update: [record, { description: 'Orders into totals.' }],
  delete: [record],
  fetch: ['GET', '/api/pipelines'],
}

/** The acts as data. */
const all = Object.entries(acts).map(([name, given]) => ({ name, given }) as unknown as Act)

it('shows for each act of the panel but a request a call that the admin API has', () => {
  const find = createRouteFinder(adminRoutes)
  const server = 'http://localhost:7000'
  const calls = all
    .filter(({ name }) => name !== 'fetch')
    .map((act) => {
      const pattern = new RegExp(`-X (\\w+).*'${server}${adminPath}([^']+)'`)
      const [, method = '', path = ''] = pattern.exec(curlOf(act, 'main', server)) ?? []
      return { method, path }
    })

  for (const { method, path } of calls) expect(find(method, path).route.method).toBe(method)
  expect(calls.length).toBe(Object.keys(acts).length - 1)
})

it.each(all)('runs $name in a mock, or receives an error', async (act) => {
  const refusal: unknown = await runAct(createUnderstudy(), 'main', act).then(
    () => undefined,
    (error: unknown) => error,
  )

  expect(refusal === undefined || refusal instanceof UnderstudyError, String(refusal)).toBe(true)
})
