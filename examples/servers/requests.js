import assert from 'node:assert/strict'

/** Asks a server what each of them must answer alike, whatever stands around the understudy. */
export async function ask(port) {
  const url = `http://127.0.0.1:${port}`
  const json = async (path, init) => {
    const reply = await fetch(`${url}${path}`, init)
    return { status: reply.status, body: await reply.json() }
  }
  const post = (path, body) =>
    json(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  const found = await json('/api/pipelines/daily_sales')
  assert.equal(found.status, 200)
  assert.equal(found.body.pipeline.name, 'daily sales')

  const missing = await json('/api/pipelines/nowhere')
  assert.equal(missing.status, 200)
  assert.equal(missing.body.error.code, 404)

  const created = await post('/api/pipelines', { pipeline: { name: 'weekly sales', type: 'python' } })
  assert.equal(created.body.pipeline.uuid, 'weekly_sales')
  assert.equal((await json('/api/pipelines/weekly_sales')).body.pipeline.name, 'weekly sales')

  const own = await fetch(`${url}/health`)
  assert.equal(await own.text(), 'fine')
}

const admin = '/__understudy__/api/worlds/main'

/** Has a connection closed without an answer, a body sent slowly, and requests told as they come. */
export async function askForMore(port) {
  const url = `http://127.0.0.1:${port}`
  const fault = (what) =>
    fetch(`${url}${admin}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ operation: 'listPipelines', times: 1, ...what }),
    })

  assert.equal((await fault({ drop: true })).status, 201)
  await assert.rejects(fetch(`${url}/api/pipelines`))
  assert.equal((await fetch(`${url}/api/pipelines`)).status, 200)

  await fault({ slowBody: '50ms' })
  const slow = await (await fetch(`${url}/api/pipelines`)).json()
  assert.equal(slow.pipelines.length, 2)

  await fault({ truncate: true })
  await assert.rejects((await fetch(`${url}/api/pipelines`)).json())

  const stream = await fetch(`${url}${admin}/journal/stream`)
  const pieces = stream.body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
  await fetch(`${url}/api/backfills`)
  let told = ''
  while (!told.includes('listBackfills')) told += (await pieces.next()).value
  await pieces.return()

  const panel = await fetch(`${url}/__understudy__/`)
  assert.match(await panel.text(), /<script type="module" src="panel\/page.js">/)
}
