import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { build, createServer, preview } from 'vite'

const headers = { 'X-API-KEY': 'my-key', 'content-type': 'application/json' }
const quiet = { logLevel: 'silent', server: { port: 0 }, preview: { port: 0 } }

/** A server, asked at the address it says. */
function client(server) {
  const [url] = server.resolvedUrls.local
  const text = async (path) => (await fetch(new URL(path, url))).text()
  const json = async (path, init) => (await fetch(new URL(path, url), { headers, ...init })).json()
  const names = async () => (await json('/api/pipelines')).pipelines.map(({ name }) => name)
  return { text, json, names }
}

test('dev answers, and keeps the state when it starts again', async () => {
  const server = await createServer(quiet)
  await server.listen()
  try {
    const { text, json, names } = client(server)
    assert.deepEqual(await names(), ['daily sales'])
    assert.equal((await json('/api/pipelines', { headers: {} })).error.code, 401)
    await json('/api/pipelines', {
      method: 'POST',
      body: JSON.stringify({ pipeline: { name: 'mine', type: 'python' } }),
    })
    await server.restart()
    assert.deepEqual(await client(server).names(), ['daily sales', 'mine'])

    const page = await client(server).text('/')
    assert.match(page, /<script type="module" src="\/__understudy__\/panel\/corner.js">/)
    assert.match(await text('/__understudy__/'), /panel\/page.js/)
  } finally {
    await server.close()
  }
})

test('a build has nothing of it, and preview answers', async () => {
  await build(quiet)
  const built = ['dist/index.html', ...readdirSync('dist/assets').map((name) => `dist/assets/${name}`)]
  for (const file of built) assert.doesNotMatch(readFileSync(file, 'utf8'), /understudy/)

  const server = await preview(quiet)
  try {
    const { text, names } = client(server)
    assert.deepEqual(await names(), ['daily sales'])
    assert.doesNotMatch(await text('/'), /understudy/)
  } finally {
    await new Promise((resolve) => server.httpServer.close(resolve))
  }
})
