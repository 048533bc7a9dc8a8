import { expect, it, onTestFinished } from 'vitest'
import { createUnderstudy } from '../src/index.ts'
import { createApp } from '../src/server/create-app.ts'
import { type ServeOptions, serve } from '../src/server/serve.ts'

async function open(options: ServeOptions = {}) {
  const { url, close } = await serve(createUnderstudy(), { port: 0, ...options })
  onTestFinished(close)
  return async (path: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(`${url}${path}`, { headers, redirect: 'manual' })
    return { status: reply.status, headers: reply.headers, text: await reply.text() }
  }
}

const script = '<script type="module" src="__understudy__/panel/page.js"></script>'

it('shows the panel at its root, and leads to it from beside the admin API', async () => {
  const get = await open()
  const { status, headers, text } = await get('/')

  expect(status).toBe(200)
  expect(text).toContain(script)
  expect(text).not.toContain('data-needs-token')
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; style-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  expect((await get('/__understudy__/')).headers.get('location')).toBe('/')
})

it.each([
  ['through a proxy', { 'x-forwarded-for': '10.0.0.7' }],
  ['from a page of another origin', { origin: 'https://elsewhere.example' }],
  ['embedded in a page of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
])('shows no panel to who asks %s, but a page of links, and keeps its scripts back', async (_, headers) => {
  const get = await open()
  const page = await get('/', headers)

  expect(page.status).toBe(200)
  expect(page.text).not.toContain('<script')
  expect(page.text).toContain('href="openapi.json"')
  expect((await get('/__understudy__/panel/page.js', headers)).status).toBe(404)
})

it('asks for the token that the server was started with, and tells nothing before', async () => {
  const get = await open({ admin: { token: 'let-me-in' } })
  const { text } = await get('/')

  expect(text).toContain('<html lang="en" data-needs-token="yes">')
  expect(text).not.toContain('let-me-in')
})

it('shows a page of links where there is no admin API', async () => {
  const get = await open({ admin: false })
  const { status, text } = await get('/')

  expect(status).toBe(200)
  expect(text).not.toContain('<script')
  expect(text).toContain('The panel needs the admin API, which is off here.')
})

it.each([
  '/__understudy__/panel/..%2fpackage.json',
  '/__understudy__/panel/index.d.ts',
  '/__understudy__/panel/none.js',
])('gives of the package nothing but the scripts of the panel: %s', async (path) => {
  const get = await open()

  expect((await get(path)).status).toBe(404)
})

it('serves its pages from an application of Express where they are asked for, and only there', async () => {
  const served = async (pages: boolean) => {
    const server = createApp(createUnderstudy(), { pages }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const reply = await fetch(`http://127.0.0.1:${port}/`)
    return { status: reply.status, text: await reply.text() }
  }

  expect((await served(true)).text).toContain(script)
  expect((await served(false)).status).toBe(404)
})
