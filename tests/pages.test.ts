import { expect, it } from 'vitest'
import { createUnderstudy } from '../src/index.ts'
import { createApp } from '../src/server/create-app.ts'
import type { ServeOptions } from '../src/server/serve.ts'
import { serveMock } from './support/serve-mock.ts'
import { listen } from './support/temporary.ts'

async function open(options: ServeOptions = {}) {
  const { url } = await serveMock(createUnderstudy(), options)
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
])('shows a page of links without the panel to a request %s', async (_, headers) => {
  const get = await open()
  const page = await get('/', headers)

  expect(page.status).toBe(200)
  expect(page.text).not.toContain('<script')
  expect(page.text).toContain('href="openapi.json"')
  expect((await get('/__understudy__/panel/page.js', headers)).status).toBe(404)
})

it('requires the token of the server', async () => {
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
])('serves no file but the scripts of the panel: %s', async (path) => {
  const get = await open()

  expect((await get(path)).status).toBe(404)
})

it('serves its pages from an Express application only on request', async () => {
  const served = async (pages: boolean) => {
    const reply = await fetch(await listen(createApp(createUnderstudy(), { pages })))
    return { status: reply.status, text: await reply.text() }
  }

  expect((await served(true)).text).toContain(script)
  expect((await served(false)).status).toBe(404)
})

it('shows the OpenAPI document in Swagger UI, with a strict content security policy', async () => {
  const get = await open()
  const { status, headers, text } = await get('/docs')

  expect(status).toBe(200)
  expect(text).toContain('<script defer src="__understudy__/docs/swagger-ui-bundle.js"></script>')
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  expect((await get('/__understudy__/docs/swagger-ui.css')).headers.get('content-type')).toBe(
    'text/css; charset=utf-8',
  )
  expect((await get('/__understudy__/docs/package.json')).status).toBe(404)
})

it('sends a script once, and again only where it has changed', async () => {
  const get = await open()
  const { headers } = await get('/__understudy__/docs/start.js')

  const again = await get('/__understudy__/docs/start.js', { 'if-none-match': headers.get('etag')! })

  expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' })
})

it.each([
  ['through a proxy', {}, { 'x-forwarded-for': '10.0.0.7' }],
  ['where there is no admin API', { admin: false }, {}],
])('serves neither the OpenAPI page nor credentials %s', async (_, options, headers) => {
  const get = await open(options)
  const page = await get('/docs', headers)

  expect(page.status).toBe(403)
  expect(page.text).not.toContain('<script')
  expect((await get('/__understudy__/docs/start.js', headers)).status).toBe(404)
  expect((await get('/__understudy__/docs/openapi.json', headers)).status).toBe(404)
})

it('shows credentials only with the admin token', async () => {
  const get = await open({ admin: { token: 'let-me-in' } })

  expect((await get('/docs')).status).toBe(200)
  expect((await get('/__understudy__/docs/openapi.json')).status).toBe(404)
  const own = await get('/__understudy__/docs/openapi.json', { authorization: 'Bearer let-me-in' })
  expect(own.status).toBe(200)
})

it('passes unknown pages to the application', async () => {
  const app = createApp(createUnderstudy(), { pages: 'beside' })
  app.get('/mine', (_, response) => void response.send('my own page'))
  const url = await listen(app)

  expect(await (await fetch(`${url}/mine`)).text()).toBe('my own page')
  expect(await (await fetch(`${url}/__understudy__/docs`)).text()).toContain(
    '<script defer src="docs/start.js"></script>',
  )
})

it('describes imported resources in the OpenAPI document', async () => {
  const { understudy, url } = await serveMock()
  const read = async () => (await fetch(`${url}/openapi.json`)).text()

  expect(await read()).not.toContain('"/api/teams"')
  understudy.import({ custom: { teams: [{ id: 1 }] } })
  expect(await read()).toContain('"/api/teams"')
})

it.each(['127.0.0.1', 'localhost'])(
  'uses the host of the request in the OpenAPI document: %s',
  async (host) => {
    const { url } = await serveMock()
    const requested = url.replace('127.0.0.1', host)

    expect(await (await fetch(`${requested}/openapi.json`)).json()).toMatchObject({
      servers: [{ url: requested }],
    })
    expect(await (await fetch(`${requested}/openapi.yaml`)).text()).toContain(`- url: ${requested}\n`)
  },
)
