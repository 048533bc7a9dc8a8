import express, { type Express } from 'express'
import type { Understudy } from '../engine/create-understudy.ts'

/** Creates what the server answers outside `/api`: one page that lists the routes, and a plain 404. */
export function createSite(understudy: Understudy): Express {
  const site = express()
  site.disable('x-powered-by')
  site.get('/', (_, response) => {
    response.type('html').send(page(understudy))
  })
  site.use((request, response) => {
    response
      .status(404)
      .json({ title: 'Not found', detail: `Nothing is at ${request.path}; the API is under /api.` })
  })
  return site
}

function page(understudy: Understudy): string {
  const rows = understudy.endpoints.map(
    ({ route, operation }) =>
      `<tr><td>${route.method}</td><td><code>${escapeText(route.path)}</code></td><td>${escapeText(operation.title)}</td><td>${route.basis}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>pipeline-understudy</title>
<style>body{font:15px/1.5 system-ui;margin:2rem auto;max-width:60rem}td,th{text-align:left;padding:.2rem .8rem .2rem 0}</style>
<h1>pipeline-understudy</h1><p>A stand-in for the pipeline orchestration service. The API is under <code>/api</code>.</p>
<table><tr><th>method</th><th>path</th><th>operation</th><th>basis</th></tr>${rows.join('')}</table></html>`
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
