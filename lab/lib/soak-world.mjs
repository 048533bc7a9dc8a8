// One world of the soak: sends one request after the other, keeps what the server has to hold, and holds every reply
// against it.

const types = ['python', 'streaming', 'integration', 'pyspark']
const statuses = ['completed', 'failed', 'cancelled']
const most = { pipelines: 6, backfills: 15 }

/** The start state of every world; backfills of a reset world count on from its last id. */
export const soakFixture = {
  pipelines: [{ name: 'common', blocks: [{ name: 'load', type: 'data_loader' }] }],
  backfills: [
    { pipeline_uuid: 'common', name: 'common 1', created_at: '2026-01-01 00:00:00' },
    { pipeline_uuid: 'common', name: 'common 2', created_at: '2026-01-02 00:00:00' },
  ],
}

const fixtureState = () => ({
  pipelines: new Map([['common', { description: null, type: 'python', blocks: new Map([['load', '']]) }]]),
  backfills: new Map([
    [1, { name: 'common 1', pipeline_uuid: 'common', status: null, variables: null }],
    [2, { name: 'common 2', pipeline_uuid: 'common', status: null, variables: null }],
  ]),
  nextId: 3,
})

/** A machine that plays a world: each `step()` is one request, or a visit to the admin API. */
export function createSoakWorld({ name, ask, controls, random, flaw, count }) {
  let state = fixtureState()
  let serial = 0
  let kept
  let fault

  /** Sends a request; `undefined` where the answer was the fault that had been ordered for it. */
  async function send(operation, method, path, json) {
    const { status, body } = await ask(method, path, json)
    const expected = fault?.operation === operation ? fault : undefined
    if (expected !== undefined) fault = undefined
    if (status !== 200) flaw('wrong', `${name}: ${method} ${path}: HTTP ${status} ${excerpt(body)}`)
    if (expected === undefined) {
      if (body?.error !== undefined) flaw('lost', `${name}: ${method} ${path}: ${excerpt(body)}`)
      return body
    }
    count('faults')
    if (body?.error?.message !== expected.message)
      flaw(
        'wrong',
        `${name}: ${method} ${path}: expected the fault ${JSON.stringify(expected.message)}; found ${excerpt(body)}`,
      )
    return undefined
  }

  /** Holds what a reply shows of a record against what was written; a value of another world is foreign. */
  function same(what, found, expected) {
    for (const [key, value] of Object.entries(expected)) {
      const [one, other] = [JSON.stringify(found?.[key]), JSON.stringify(value)]
      if (one !== other)
        flaw(foreignIn(one) ? 'foreign' : 'lost', `${name}: ${what}.${key}: expected ${other}; found ${one}`)
    }
  }

  function sameKeys(what, found, expected) {
    for (const key of expected) if (!found.includes(key)) flaw('lost', `${name}: ${what} lack ${key}`)
    for (const key of found) if (!expected.includes(key)) flaw('foreign', `${name}: ${what} show ${key}`)
  }

  /** Whether a text carries the mark of another world. */
  function foreignIn(text = '') {
    return (text.match(/soak-\d+/g) ?? []).some((mark) => mark !== name)
  }

  const mark = () => `${name} ${++serial}`
  const anyPipeline = () => random.pick([...state.pipelines.keys()])
  const anyBackfill = () => random.pick([...state.backfills.keys()])

  const steps = {
    async createPipeline() {
      if (state.pipelines.size >= most.pipelines) return steps.deletePipeline()
      const given = { name: mark(), type: random.pick(types), description: mark() }
      const body = await send('createPipeline', 'POST', '/api/pipelines', { pipeline: given })
      if (body === undefined) return
      const uuid = given.name.replaceAll(/[^a-z0-9]/g, '_')
      same('new pipeline', body.pipeline, { uuid, ...given, blocks: [] })
      state.pipelines.set(uuid, { description: given.description, type: given.type, blocks: new Map() })
    },
    async updatePipeline() {
      const uuid = anyPipeline()
      const description = mark()
      const body = await send('updatePipeline', 'PUT', `/api/pipelines/${uuid}`, {
        pipeline: { description },
      })
      if (body === undefined) return
      same(uuid, body.pipeline, { uuid, description })
      state.pipelines.get(uuid).description = description
    },
    async deletePipeline() {
      const uuid = anyPipeline()
      // One is always left, to hang backfills on.
      if (state.pipelines.size === 1) return steps.createPipeline()
      const body = await send('deletePipeline', 'DELETE', `/api/pipelines/${uuid}`)
      if (body === undefined) return
      same(uuid, body.pipeline, { uuid })
      state.pipelines.delete(uuid)
      for (const [id, { pipeline_uuid }] of state.backfills)
        if (pipeline_uuid === uuid) state.backfills.delete(id)
    },
    async readPipeline() {
      const uuid = anyPipeline()
      const body = await send('readPipeline', 'GET', `/api/pipelines/${uuid}`)
      if (body === undefined) return
      const { blocks, ...expected } = state.pipelines.get(uuid)
      same(uuid, body.pipeline, { uuid, ...expected })
      sameKeys(
        `blocks of ${uuid}`,
        (body.pipeline?.blocks ?? []).map((block) => block.uuid),
        [...blocks.keys()],
      )
    },
    async listPipelines() {
      const body = await send('listPipelines', 'GET', '/api/pipelines')
      if (body === undefined) return
      sameKeys(
        'pipelines',
        (body.pipelines ?? []).map(({ uuid }) => uuid),
        [...state.pipelines.keys()],
      )
    },
    async createBlock() {
      const uuid = anyPipeline()
      const { blocks } = state.pipelines.get(uuid)
      if (blocks.size >= 4) return steps.deleteBlock()
      const given = { name: mark(), type: 'custom', content: mark() }
      const body = await send('createBlock', 'POST', `/api/pipelines/${uuid}/blocks`, { block: given })
      if (body === undefined) return
      same('new block', body.block, given)
      blocks.set(given.name.replaceAll(/[^a-z0-9]/g, '_'), given.content)
    },
    async readBlock() {
      const uuid = anyPipeline()
      const [block] = [...state.pipelines.get(uuid).blocks]
      if (block === undefined) return steps.createBlock()
      const body = await send('readBlock', 'GET', `/api/pipelines/${uuid}/blocks/${block[0]}`)
      if (body !== undefined) same(`${uuid}/${block[0]}`, body.block, { uuid: block[0], content: block[1] })
    },
    async deleteBlock() {
      const uuid = anyPipeline()
      const { blocks } = state.pipelines.get(uuid)
      const [block] = [...blocks.keys()]
      if (block === undefined) return steps.createBlock()
      const body = await send('deleteBlock', 'DELETE', `/api/pipelines/${uuid}/blocks/${block}`)
      if (body === undefined) return
      same(`${uuid}/${block}`, body.block, { uuid: block })
      blocks.delete(block)
    },
    async createBackfill() {
      if (state.backfills.size >= most.backfills) return steps.deleteBackfill()
      const pipeline_uuid = anyPipeline()
      const given = { name: mark(), variables: { world: mark() } }
      const body = await send('createBackfill', 'POST', `/api/pipelines/${pipeline_uuid}/backfills`, {
        backfill: given,
      })
      if (body === undefined) return
      const id = state.nextId++
      same('new backfill', body.backfill, { id, pipeline_uuid, name: given.name })
      // An id that others have moved on would make everything after it wrong as well.
      state.backfills.set(body.backfill?.id ?? id, { pipeline_uuid, status: null, ...given })
      state.nextId = (body.backfill?.id ?? id) + 1
    },
    async updateBackfill() {
      const id = anyBackfill()
      if (id === undefined) return steps.createBackfill()
      const given = { name: mark(), status: random.pick(statuses), variables: { world: mark() } }
      const { pipeline_uuid } = state.backfills.get(id)
      const path = `/api/pipelines/${pipeline_uuid}/backfills/${id}`
      const body = await send('updateBackfill', 'PUT', path, { backfill: given })
      if (body === undefined) return
      same(`backfill ${id}`, body.backfill, { id, ...given })
      Object.assign(state.backfills.get(id), given)
    },
    async readBackfill() {
      const id = anyBackfill()
      if (id === undefined) return steps.createBackfill()
      const body = await send('readBackfill', 'GET', `/api/backfills/${id}`)
      if (body !== undefined) same(`backfill ${id}`, body.backfill, { id, ...state.backfills.get(id) })
    },
    async deleteBackfill() {
      const id = anyBackfill()
      if (id === undefined) return steps.createBackfill()
      const body = await send('deleteBackfill', 'DELETE', `/api/backfills/${id}`)
      if (body === undefined) return
      same(`backfill ${id}`, body.backfill, { id, name: state.backfills.get(id).name })
      state.backfills.delete(id)
    },
    async listBackfills() {
      const body = await send('listBackfills', 'GET', '/api/backfills')
      if (body === undefined) return
      const found = body.backfills ?? []
      sameKeys(
        'backfills',
        found.map(({ id }) => id),
        [...state.backfills.keys()],
      )
      for (const backfill of found)
        if (state.backfills.has(backfill.id))
          same(`backfill ${backfill.id}`, backfill, state.backfills.get(backfill.id))
    },
  }

  const visits = {
    async reset() {
      await controls.reset()
      state = fixtureState()
      // What was ordered is forgotten with everything else.
      fault = undefined
    },
    async snapshot() {
      await controls.snapshot('kept')
      kept = structuredClone(state)
    },
    async restore() {
      if (kept === undefined) return visits.snapshot()
      await controls.restore('kept')
      state = structuredClone(kept)
    },
    async addFault() {
      if (fault !== undefined) return
      const operation = random.pick(Object.keys(steps))
      const message = `ordered by ${mark()}`
      await controls.faults.add({ operation, times: 1, error: { code: 503, type: 'unavailable', message } })
      fault = { operation, message }
    },
  }
  const operations = Object.values(steps)
  const reading = [
    steps.readPipeline,
    steps.readBackfill,
    steps.listBackfills,
    steps.listPipelines,
    steps.readBlock,
  ]

  return {
    name,
    async step() {
      if (controls !== undefined && random.next() < 0.01) {
        const visit = random.pick(Object.keys(visits))
        count(visit)
        return visits[visit]()
      }
      return random.next() < 0.5 ? random.pick(reading)() : random.pick(operations)()
    },
  }
}

function excerpt(body) {
  const text = JSON.stringify(body) ?? ''
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
