import express, { type Express } from 'express'
import type { Understudy } from '../engine/create-understudy.ts'
import { buildDocument } from '../openapi/build-document.ts'
import { toYaml } from '../openapi/openapi-yaml.ts'

/** Creates what the server answers outside `/api`: one page that lists the routes, and a plain 404. */
export function createSite(understudy: Understudy): Express {
  const site = express()
  site.disable('x-powered-by')
  let json: string | undefined
  let yaml: string | undefined
  site.get('/', (_, response) => {
    response.type('html').send(page(understudy))
  })
  site.get('/openapi.json', (_, response) => {
    json ??= `${JSON.stringify(documentOf(understudy))}\n`
    response.type('application/json').send(json)
  })
  site.get('/openapi.yaml', (_, response) => {
    yaml ??= toYaml(documentOf(understudy))
    response.type('application/yaml').send(yaml)
  })
  site.use((request, response) => {
    response
      .status(404)
      .json({ title: 'Not found', detail: `Nothing is at ${request.path}; the API is under /api.` })
  })
  return site
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
