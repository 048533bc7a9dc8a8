import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AdminAccess, refuseVisitor } from '../admin/security.ts'
import type { Understudy } from '../engine/create-understudy.ts'
import { buildDocument } from '../openapi/build-document.ts'
import { toYaml } from '../openapi/openapi-yaml.ts'
import { ownPath } from '../shared/addresses.ts'
import { hasReplyBody, isReadMethod, splitUrl } from '../shared/http.ts'
import { credentialsOf, docsPage, docsPolicy, findSwaggerUi, installHint, readDocsFile } from './docs-page.ts'
import type { Listener } from './listener-types.ts'
import { offerRecords } from './offered-document.ts'
import { icon, pageHeaders, scriptHeaders } from './page-headers.ts'
import { readPanelFile } from './panel-files.ts'
import { failTo } from './send.ts'

/**
 * The location of the pages: at the root, including everything outside the API, or below `/__understudy__/`.
 */
export type SitePlace = 'root' | 'beside'

const folder = `${ownPath}/`
/** The same, relative to a page at the root, at any mount point. */
const folderBelow = folder.slice(1)
const partOfPage = new RegExp(`^${folder}(panel|docs)/([^/]+)$`)

/**
 * Creates the listener outside the API: the panel for clients with access to the admin API, the OpenAPI
 * document, and a 404 at the root. Without an admin API, `access` is undefined and a page of links replaces
 * the panel.
 */
export function createSite(
  understudy: Understudy,
  access: AdminAccess | undefined,
  place: SitePlace,
): Listener {
  const documentAt = createDocumentWriter(understudy)
  const home = place === 'root' ? '/' : folder
  return (request, response, next) => {
    const path = splitUrl(request.url ?? '/').path
    const missing = place === 'root' ? () => sayNothing(response, path) : next
    if (!isReadMethod(request.method)) return missing()
    if (path === home) return showHome(request, response, access, place)
    if (path === ownPath || path === folder) {
      return void response.writeHead(302, { location: `${mountPath(request)}${home}` }).end()
    }
    const kind = path === `${home}openapi.json` ? 'json' : path === `${home}openapi.yaml` ? 'yaml' : undefined
    if (kind !== undefined) {
      const type = `application/${kind}; charset=utf-8`
      return void response.writeHead(200, { 'content-type': type }).end(documentAt(request, kind))
    }
    if (path === `${home}docs`) return showDocs(request, response, access, place)
    const entry = access === undefined ? 'nobody' : admit(access, request)
    const [, part, name = ''] = partOfPage.exec(path) ?? []
    if (part === undefined || entry === 'nobody') return missing()
    if (part === 'docs' && name === 'credentials.json') {
      // The request for a page has no token.
      if (entry === 'token') return missing()
      return void credentialsOf(understudy)
        .then((found) => sendText(response, 'application/json', JSON.stringify(found), pageHeaders))
        .catch((error) => failTo(response, error))
    }
    if (part === 'docs' && name === 'openapi.json') {
      if (entry === 'token') return missing()
      const text = offerRecords(documentAt(request, 'json'), understudy)
      return sendText(response, 'application/json', text, pageHeaders)
    }
    const read = part === 'docs' ? readDocsFile : readPanelFile
    read(name)
      .then((text) => (text === undefined ? missing() : sendFile(request, response, name, text)))
      .catch((error) => failTo(response, error))
  }
}

/** Returns the path at which Express has mounted the application within another. */
function mountPath({ baseUrl = '' }: IncomingMessage & { readonly baseUrl?: string }): string {
  return baseUrl
}

/** Maximum number of cached texts. */
const mostTexts = 8

/** Returns a function that writes the OpenAPI document with the requested address as its server. */
function createDocumentWriter(understudy: Understudy) {
  let document: object | undefined
  const texts = new Map<string, string>()
  let { endpoints } = understudy
  return (request: IncomingMessage, kind: keyof typeof writers): string => {
    const host = request.headers.host ?? ''
    const protocol = 'encrypted' in request.socket ? 'https' : 'http'
    const url = /^[\w.:[\]-]+$/.test(host) ? `${protocol}://${host}${mountPath(request)}` : undefined
    // An import may add or remove resources.
    if (understudy.endpoints !== endpoints) {
      endpoints = understudy.endpoints
      document = undefined
      texts.clear()
    }
    const key = `${kind} ${url}`
    let text = texts.get(key)
    if (text === undefined) {
      document ??= documentOf(understudy)
      text = writers[kind](url === undefined ? document : { ...document, servers: [{ url }] })
      // A visitor may call this machine by any name.
      if (texts.size >= mostTexts) texts.clear()
      texts.set(key, text)
    }
    return text
  }
}

const writers = { json: (document: object) => `${JSON.stringify(document)}\n`, yaml: toYaml } as const

/** Returns the OpenAPI document of this understudy, with its custom resources and its profile. */
function documentOf({ endpoints }: Understudy): object {
  return buildDocument({ resources: [...new Set(endpoints.map(({ resource }) => resource))] })
}

/** Returns which clients may open the panel. With a token, the admin API checks it later. */
function admit(access: AdminAccess, { headers, socket }: IncomingMessage): 'visitor' | 'token' | 'nobody' {
  const { remoteAddress } = socket
  const refused = refuseVisitor(access, { headers, remoteAddress, isEncrypted: 'encrypted' in socket })
  if (refused === undefined) return 'visitor'
  return refused.status === 401 ? 'token' : 'nobody'
}

function showHome(
  request: IncomingMessage,
  response: ServerResponse,
  access: AdminAccess | undefined,
  place: SitePlace,
): void {
  const entry = access === undefined ? 'nobody' : admit(access, request)
  const page = entry === 'nobody' ? links(access) : panelPage(entry, place)
  sendText(response, 'text/html', page, pageHeaders)
}

function sendText(
  response: ServerResponse,
  type: string,
  text: string,
  headers: object = {},
  status = 200,
): void {
  const length = Buffer.byteLength(text)
  response
    .writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8`, 'content-length': length })
    .end(hasReplyBody(response.req.method) ? text : undefined)
}

/** Shows the page of the OpenAPI document, or the reason why it is not available. */
function showDocs(
  request: IncomingMessage,
  response: ServerResponse,
  access: AdminAccess | undefined,
  place: SitePlace,
): void {
  if (access === undefined || admit(access, request) === 'nobody')
    sendText(response, 'text/html', links(access), pageHeaders, 403)
  else if (findSwaggerUi() === undefined) sendText(response, 'text/html', installHint, pageHeaders, 404)
  else {
    const headers = { ...pageHeaders, 'content-security-policy': docsPolicy }
    sendText(response, 'text/html', docsPage(place === 'root' ? folderBelow : ''), headers)
  }
}

/** Sends a file that a page loads, unless it has it as it is. */
function sendFile(request: IncomingMessage, response: ServerResponse, name: string, text: string): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  const headers = { ...scriptHeaders, etag }
  if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end()
  else sendText(response, name.endsWith('.css') ? 'text/css' : 'text/javascript', text, headers)
}

function sayNothing(response: ServerResponse, path: string): void {
  const detail = `Nothing is at ${path}; the API is under /api.`
  const body = JSON.stringify({ title: 'Not found', detail })
  response
    .writeHead(404, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(hasReplyBody(response.req.method) ? body : undefined)
}

const head = `<!doctype html>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:image/svg+xml,${icon}"><title>understudy</title>`

/**
 * The page of the panel, which only loads its script. Addresses are relative, so that it can be mounted
 * anywhere.
 */
function panelPage(entry: 'visitor' | 'token', place: SitePlace): string {
  const asks = entry === 'token' ? ' data-needs-token="yes"' : ''
  const way = place === 'root' ? folderBelow : ''
  return head
    .replace('<meta charset', `<html lang="en"${asks}><head><meta charset`)
    .concat(
      `<script type="module" src="${way}panel/page.js"></script></head>\n`,
      '<body><noscript><p>The panel needs JavaScript. The API is under <code>/api</code>, its description at <a href="openapi.json">openapi.json</a>.</p></noscript></body></html>\n',
    )
}

/** The page without a panel: public links and the reason. */
function links(access: AdminAccess | undefined): string {
  const why =
    access === undefined
      ? 'The panel needs the admin API, which is off here.'
      : 'The panel is shown to this machine only; start the server with --admin-token to use it from elsewhere.'
  return `${head.replace('<meta charset', '<html lang="en"><head><meta charset')}</head>
<body><h1>pipeline-understudy</h1><p>A stand-in for the pipeline orchestration service. The API is under <code>/api</code>; its description is at <a href="openapi.json">openapi.json</a> and <a href="openapi.yaml">openapi.yaml</a>.</p><p>${why}</p></body></html>
`
}
