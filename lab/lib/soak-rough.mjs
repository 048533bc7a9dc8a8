// The rough ones of the soak: each does what takes long or is rude, again and again in worlds of its own, and holds what
// comes back against what it knows.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const sizes = { imported: 20_000, listed: 5_000, body: 9_000_000, schedules: 20, hours: 72 }

const backfills = (count) =>
  Array.from({ length: count }, (_, index) => ({
    name: `rough ${index}`,
    pipeline_uuid: 'rough',
    created_at: '2026-01-01 00:00:00',
  }))
const stateOf = (more) => ({ clock: '2026-01-01T00:00:00Z', pipelines: [{ name: 'rough' }], ...more })

/** Creates them; `flaw` is told of what is wrong, `count` of what was done. */
export function createRoughOnes({ origin, understudy, flaw, count }) {
  const port = Number(new URL(origin).port)
  const expect = (name, what, found, expected) => {
    if (found !== expected) flaw('wrong', `${name}: ${what}: expected ${expected}; found ${found}`)
  }

  /** Asks the API as a world; a reply that is no HTTP 200, or an error, is a flaw. */
  async function ask(world, method, path, body) {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { 'x-understudy-world': world, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const reply = await response.json()
    if (response.status !== 200 || reply.error !== undefined)
      flaw('wrong', `${world}: ${method} ${path}: HTTP ${response.status} ${JSON.stringify(reply.error)}`)
    return reply
  }

  const countOf = async (world, plural) =>
    (await ask(world, 'GET', `/api/${plural}?_limit=1`)).metadata?.count

  /** Opens a connection that asks, reads for a while at most, and leaves in the middle. */
  async function leaveInTheMiddle(path, world, reads) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nX-Understudy-World: ${world}\r\n\r\n`)
    if (!reads) socket.pause()
    else socket.on('data', () => socket.pause() && setTimeout(() => socket.resume(), 20))
    await sleep(1_500)
    socket.destroy()
  }

  const large = understudy.world('rough-large')
  let isLarge = false
  let passing = 0
  const ones = {
    async imports() {
      const name = 'rough-import'
      const world = understudy.world(name)
      await world.import(stateOf({ backfills: backfills(sizes.imported) }))
      expect(name, 'backfills after an import', await countOf(name, 'backfills'), sizes.imported)
      const exported = await world.export()
      expect(name, 'backfills in an export', exported.backfills.length, sizes.imported)
      await world.snapshot('full')
      await ask(name, 'DELETE', '/api/pipelines/rough')
      expect(name, 'backfills after a deletion', await countOf(name, 'backfills'), 0)
      await world.restore('full')
      expect(name, 'backfills after a restore', await countOf(name, 'backfills'), sizes.imported)
      await sleep(500)
    },
    async advances() {
      const name = 'rough-clock'
      const world = understudy.world(name)
      const hourly = { pipeline_uuid: 'rough', status: 'active', schedule_interval: '@hourly' }
      await world.clock.freeze()
      await world.import(stateOf({ pipeline_schedules: Array(sizes.schedules).fill(hourly) }))
      await world.clock.advance(`${sizes.hours}h`)
      const runs = sizes.schedules * sizes.hours
      expect(name, 'runs after an advance', await countOf(name, 'pipeline_runs'), runs)
      await sleep(500)
    },
    async largeBodies() {
      const name = 'rough-bodies'
      const world = understudy.world(name)
      await world.import(stateOf({ backfills: backfills(1) }))
      const text = String(++passing).repeat(sizes.body / String(passing).length)
      const { backfill } = await ask(name, 'PUT', '/api/backfills/1', { backfill: { variables: { text } } })
      expect(name, 'what a large body wrote', backfill?.variables.text === text, true)
      await ask(name, 'PUT', '/api/backfills/1', { backfill: { variables: {} } })
      await sleep(500)
    },
    async slowReaders() {
      if (!isLarge) await large.import(stateOf({ backfills: backfills(sizes.listed) }))
      isLarge = true
      await Promise.all([
        leaveInTheMiddle('/api/backfills', 'rough-large', true),
        leaveInTheMiddle('/api/backfills', 'rough-large', false),
        leaveInTheMiddle('/__understudy__/api/worlds/rough-large/state', 'rough-large', true),
        leaveInTheMiddle('/__understudy__/api/worlds/rough-large/journal/stream', 'rough-large', false),
        leaveInTheMiddle('/__understudy__/api/worlds/rough-large/journal.har', 'rough-large', false),
      ])
      expect('rough-large', 'backfills', await countOf('rough-large', 'backfills'), sizes.listed)
    },
    async faults() {
      const name = 'rough-faults'
      const { faults } = understudy.world(name)
      await faults.clear()
      for (const fault of [
        { hang: true },
        { drop: true },
        { slowBody: '200ms' },
        { reset: true },
        { latency: '50ms' },
      ]) {
        await faults.add({ operation: 'listPipelines', times: 1, ...fault })
        await fetch(`${origin}/api/pipelines`, {
          headers: { 'x-understudy-world': name },
          signal: AbortSignal.timeout(300),
        })
          .then((response) => response.text())
          .catch(() => undefined)
      }
      await ask(name, 'GET', '/api/backfills')
    },
    /** Worlds that are born for one request, and forgotten when there are too many. */
    async passers() {
      const name = `passing-${++passing}`
      const { pipeline } = await ask(name, 'POST', '/api/pipelines', { pipeline: { name, type: 'python' } })
      expect(name, 'its pipeline', pipeline?.name, name)
      await sleep(100)
    },
  }
  return Object.entries(ones).map(([name, step]) => ({
    name,
    async step() {
      count(name)
      await step()
    },
  }))
}
