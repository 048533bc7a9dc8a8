import express, { type Express, type Request } from 'express'
import type { Understudy } from '../engine/create-understudy.ts'
import { buildDocument } from '../openapi/build-document.ts'
import { toYaml } from '../openapi/openapi-yaml.ts'

/** Creates what the server answers outside `/api`: one page that lists the routes, and a plain 404. */
export function createSite(understudy: Understudy): Express {
  const site = express()
  site.disable('x-powered-by')
  site.get('/', (_, response) => {
    response.type('html').send(page(understudy))
  })
  let document: object | undefined
  const texts = new Map<string, string>()
  /** The document, with the address that it is asked for at, as a text. */
  const documentAt = ({ protocol, headers: { host = '' } }: Request, write: (document: object) => string) => {
    const url = /^[\w.:[\]-]+$/.test(host) ? `${protocol}://${host}` : undefined
    const key = `${write.name} ${url}`
    let text = texts.get(key)
    if (text === undefined) {
      document ??= documentOf(understudy)
      text = write(url === undefined ? document : { ...document, servers: [{ url }] })
      // A visitor may call this machine by any name.
      if (texts.size >= mostTexts) texts.clear()
      texts.set(key, text)
    }
    return text
  }
  site.get('/openapi.json', (request, response) => {
    response.type('application/json').send(documentAt(request, toJson))
  })
  site.get('/openapi.yaml', (request, response) => {
    response.type('application/yaml').send(documentAt(request, toYaml))
  })
  site.use((request, response) => {
    response
      .status(404)
      .json({ title: 'Not found', detail: `Nothing is at ${request.path}; the API is under /api.` })
  })
  return site
}

/** How many texts of the document are kept. */
const mostTexts = 8

function toJson(document: object): string {
  return `${JSON.stringify(document)}\n`
}

/** The document of what this understudy serves: with its custom resources, and its profile's ways. */
function documentOf({ endpoints }: Understudy): object {
  return buildDocument({ resources: [...new Set(endpoints.map(({ resource }) => resource))] })
}

function page(understudy: Understudy): string {
  const rows = understudy.endpoints.map(
    ({ route, operation }) =>
      `<tr><td>${route.method}</td><td><code>${escapeText(route.path)}</code></td><td>${escapeText(operation.title)}</td><td>${route.basis}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>pipeline-understudy</title>
<style>body{font:15px/1.5 system-ui;margin:2rem auto;max-width:60rem}td,th{text-align:left;padding:.2rem .8rem .2rem 0}</style>
<h1>pipeline-understudy</h1><p>A stand-in for the pipeline orchestration service. The API is under <code>/api</code>; its description at <a href="/openapi.json">/openapi.json</a> and <a href="/openapi.yaml">/openapi.yaml</a>.</p>
<table><tr><th>method</th><th>path</th><th>operation</th><th>basis</th></tr>${rows.join('')}</table></html>`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
