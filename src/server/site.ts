import express, { type Express, type Request } from 'express'
import { type AdminAccess, refuseVisitor } from '../admin/security.ts'
import type { Understudy } from '../engine/create-understudy.ts'
import { buildDocument } from '../openapi/build-document.ts'
import { toYaml } from '../openapi/openapi-yaml.ts'
import { readPanelFile } from './panel-files.ts'

/**
 * Creates what the server answers outside `/api`: the panel, for those whom the admin API answers; the OpenAPI document;
 * and a plain 404. Where there is no admin API, `access` is absent and a page of links stands in the panel's place.
 */
export function createSite(understudy: Understudy, access: AdminAccess | undefined): Express {
  const site = express()
  site.disable('x-powered-by')
  site.get('/', (request, response) => {
    const entry = access === undefined ? 'nobody' : admit(access, request)
    response
      .set(pageHeaders)
      .type('html')
      .send(entry === 'nobody' ? links(access) : panelPage(entry))
  })
  site.get(['/__understudy__', '/__understudy__/'], (request, response) => {
    response.redirect(302, `${request.baseUrl}/`)
  })
  site.get('/__understudy__/panel/:file', async (request, response, next) => {
    if (access === undefined || admit(access, request) === 'nobody') return next()
    const script = await readPanelFile(request.params.file)
    if (script === undefined) return next()
    response.set(scriptHeaders).type('text/javascript').send(script)
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

/** Whom the panel lets in; with a token it is the admin API that asks for it, and the page has nothing to tell before. */
function admit(access: AdminAccess, { headers, socket }: Request): 'visitor' | 'token' | 'nobody' {
  const refused = refuseVisitor(access, { headers, remoteAddress: socket.remoteAddress })
  if (refused === undefined) return 'visitor'
  return refused.status === 401 ? 'token' : 'nobody'
}

const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; style-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}
const scriptHeaders = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  // Asked for again each time, and sent only where it has changed.
  'cache-control': 'no-cache',
}

/** The lamp that is lit, as the page's icon. */
const icon = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='-4 0 26 26'><circle cx='9' cy='7' r='6' fill='%23e8a917'/><path d='M9 13v11M4 24.500h10' stroke='%23666560' stroke-width='2'/></svg>`

const head = `<!doctype html>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:image/svg+xml,${icon}"><title>understudy</title>`

/** The page of the panel, which is its script: addresses are relative, so that it may be mounted anywhere. */
function panelPage(entry: 'visitor' | 'token'): string {
  const asks = entry === 'token' ? ' data-needs-token="yes"' : ''
  return head
    .replace('<meta charset', `<html lang="en"${asks}><head><meta charset`)
    .concat(
      '<script type="module" src="__understudy__/panel/page.js"></script></head>\n',
      '<body><noscript><p>The panel needs JavaScript. The API is under <code>/api</code>, its description at <a href="openapi.json">openapi.json</a>.</p></noscript></body></html>\n',
    )
}

/** What everybody may know, and why there is no panel. */
function links(access: AdminAccess | undefined): string {
  const why =
    access === undefined
      ? 'The panel needs the admin API, which is off here.'
      : 'The panel is shown to this machine only; start the server with --admin-token to use it from elsewhere.'
  return `${head.replace('<meta charset', '<html lang="en"><head><meta charset')}</head>
<body><h1>pipeline-understudy</h1><p>A stand-in for the pipeline orchestration service. The API is under <code>/api</code>; its description is at <a href="openapi.json">/openapi.json</a> and <a href="openapi.yaml">/openapi.yaml</a>.</p><p>${why}</p></body></html>
`
}
