import { expect, it, onTestFinished } from 'vitest'
import { Live } from '../panel/src/store/live.ts'
import { createUnderstudy, type JournalFilter } from '../src/index.ts'

/** Replaces some members of an object. */
function replacing<Target extends object>(target: Target, members: object): Target {
  return new Proxy(target, {
    get(_, name) {
      if (name in members) return Reflect.get(members, name)
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

it('has one refresh of a resource under way however much changes, and ends with the last change', async () => {
  const understudy = createUnderstudy()
  const { faults } = understudy
  let running = 0
  let most = 0
  let count = 0
  const list = async () => {
    running += 1
    most = Math.max(most, running)
    count += 1
    await pause(20)
    running -= 1
    return faults.list()
  }
  const world = replacing(understudy.world('main'), { faults: replacing(faults, { list }) })
  const live = new Live(replacing(understudy, { world: () => world }), 'main')
  onTestFinished(() => live.dispose())
  await expect.poll(() => live.isReady.value).toBe(true)
  await pause(100)
  most = 0
  count = 0
  const start = performance.now()
  for (let added = 0; added < 300; added++) {
    faults.add({ path: `/api/pipelines/${added}`, drop: true })
    await pause(1)
  }

  await expect.poll(() => live.faults.value.length).toBe(300)
  expect(most).toBe(1)
  // At most one in 400 ms.
  expect(count).toBeLessThanOrEqual((performance.now() - start) / 400 + 1)
})

it('reads the requests again when one arrives during the first read after the journal was emptied', async () => {
  const understudy = createUnderstudy()
  const { journal } = understudy
  const request = () => understudy.fetch('http://localhost/api/pipelines')
  let isSlow = false
  const entries = async (filter?: JournalFilter) => {
    const found = journal.entries(filter)
    if (isSlow) await pause(300)
    return found
  }
  const world = replacing(understudy.world('main'), { journal: replacing(journal, { entries }) })
  const live = new Live(replacing(understudy, { world: () => world }), 'main')
  onTestFinished(() => live.dispose())
  await request()
  await expect.poll(() => live.requests.value.length).toBe(1)
  await pause(100)
  isSlow = true
  journal.clear()
  await pause(100)
  await request()

  const sequences = () => live.requests.value.map(({ sequence }) => sequence)
  await expect.poll(sequences).toEqual(journal.entries().map(({ sequence }) => sequence))
})
