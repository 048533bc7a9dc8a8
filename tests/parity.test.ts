import { beforeAll, expect, it } from 'vitest'
import { resources } from '../src/resources/index.ts'
import {
  createMock,
  nameOf,
  openListened,
  openMemory,
  type PlayedScript,
  playAll,
  steps,
} from './support/parity.ts'
import { elsewhere, play, scenes } from './support/parity-script.ts'

let inMemory: PlayedScript

/** The routes of the open scenes that answered rightly, and the operations that refused a request. */
const reached = { routes: new Set<string>(), refusing: new Set<string>() }

beforeAll(async () => {
  const open = openListened(({ route, operation, code }, { auth, profile }) => {
    if (route === undefined || auth !== 'open' || profile !== undefined) return
    if (code === 200) reached.routes.add(`${route.method} ${route.path}`)
    else reached.refusing.add(operation!.id)
  })
  inMemory = await playAll('memory', open)
})

it('sends a valid request to every route, and an invalid one to every operation', () => {
  const operations = resources.flatMap(({ operations }) => operations)
  const routes = operations.flatMap(({ routes }) => routes.map(({ method, path }) => `${method} ${path}`))

  expect(routes.filter((route) => !reached.routes.has(route))).toEqual([])
  expect(operations.map(({ id }) => id).filter((id) => !reached.refusing.has(id))).toEqual([])
})

it('answers every request of the script with the listed codes', () => {
  const heard = inMemory.flatMap((scene) => scene.heard)
  const answers = steps.map((entry, index) => {
    const { status, body } = heard[index]!
    const parsed =
      body === '' || entry.step.elsewhere ? {} : (JSON.parse(body) as { error?: { code: number } })
    // The code of a reply without a body is only in the script.
    const code = body === '' ? entry.step.code : (parsed.error?.code ?? 200)
    return `${nameOf(entry, index)}: ${code}, HTTP ${status}`
  })

  expect(answers).toEqual(
    steps.map(
      (entry, index) => `${nameOf(entry, index)}: ${entry.step.code}, HTTP ${entry.step.status ?? 200}`,
    ),
  )
})

it('passes on what is not under /api, and answers all other requests', () => {
  const left = inMemory.flatMap((scene) => scene.heard).map((reply) => reply!.body === elsewhere)

  expect(left).toEqual(steps.map(({ step }) => step.elsewhere === true))
})

it('changes nothing with a request that an adapter cannot express', async () => {
  for (const scene of scenes) {
    const understudy = createMock(scene)
    const { send } = await openMemory(understudy, scene)
    for (const step of scene.steps) {
      const before = step.except && JSON.stringify(understudy.export())
      await play({ ...scene, steps: [{ ...step, except: {} }] }, { name: 'memory', advance: () => {}, send })
      if (step.except !== undefined) expect(JSON.stringify(understudy.export())).toBe(before)
    }
  }
})
