import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AdminAccess, refuseVisitor } from '../admin/security.ts'
import type { Understudy } from '../engine/create-understudy.ts'
import { documentedRedactor } from '../engine/journal/documented-redactor.ts'
import { buildDocument } from '../openapi/build-document.ts'
import { toYaml } from '../openapi/openapi-yaml.ts'
import { ownPath } from '../shared/addresses.ts'
import { hasReplyBody, isReadMethod, splitUrl } from '../shared/http.ts'
import { docsPage, docsPolicy, findSwaggerUi, installHint, readDocsFile } from './docs-page.ts'
import type { Listener } from './listener-types.ts'
import { offerRecords } from './offered-document.ts'
import { pageHeaders, pageOf, scriptHeaders } from './page.ts'
import { readPanelFile } from './panel-files.ts'
import { failTo } from './send.ts'

/** The location of the pages: at the root, including everything outside the API, or below `/__understudy__/`. */
export type SitePlace = 'root' | 'beside'

const folder = `${ownPath}/`
/** The same location, relative to a page at the root, at any mount point. */
const folderBelow = folder.slice(1)
const partOfPage = new RegExp(`^${folder}(panel|docs)/([^/]+)$`)

/**
 * Creates the listener outside the API: the panel for clients with access to the admin API, the OpenAPI
 * document, and a 404 at the root. Without an admin API, `access` is `undefined`, and a page of links replaces the panel.
 */
export function createSite(
  understudy: Understudy,
  access: AdminAccess | undefined,
  place: SitePlace,
): Listener {
  const documentAt = createDocumentWriter(understudy)
  const home = place === 'root' ? '/' : folder
  const way = place === 'root' ? folderBelow : ''
  return (request, response, next) => {
    const path = splitUrl(request.url ?? '/').path
    const missing = place === 'root' ? () => sendNotFound(response, path) : next
    if (!isReadMethod(request.method)) return missing()
    if (path === ownPath || (path === folder && path !== home))
      return void response.writeHead(302, { location: `${mountPath(request)}${home}` }).end()
    if (path === `${home}openapi.json`)
      return sendText(response, 'application/json', documentAt(request, 'json'))
    if (path === `${home}openapi.yaml`)
      return sendText(response, 'application/yaml', documentAt(request, 'yaml'))
    const entry = findEntry(access, request)
    if (path === home) {
      const page = entry === 'nobody' ? links(access) : panelPage(entry, way)
      return sendText(response, 'text/html', page, { headers: pageHeaders })
    }
    if (path === `${home}docs`) return showDocs(response, entry, access, way)
    const [, part, name = ''] = partOfPage.exec(path) ?? []
    if (part === undefined || entry === 'nobody') return missing()
    const fail = (error: unknown) => failTo(response, error)
    if (part === 'docs' && name === 'openapi.json') {
      // The request for a page has no token, so the OpenAPI document contains no credentials.
      if (entry === 'token') return missing()
      return void offerRecords(documentAt(request, 'json'), understudy)
        .then((text) => sendText(response, 'application/json', text, { headers: pageHeaders }))
        .catch(fail)
    }
    const read = part === 'docs' ? readDocsFile : readPanelFile
    read(name)
      .then((text) => (text === undefined ? missing() : sendFile(request, response, name, text)))
      .catch(fail)
  }
}

/** Returns the path at which Express has mounted the application within another. */
function mountPath({ baseUrl = '' }: IncomingMessage & { readonly baseUrl?: string }): string {
  return baseUrl
}

const mostTexts = 8

/** Returns a function that writes the OpenAPI document with the requested address as its server. */
function createDocumentWriter(understudy: Understudy) {
  const texts = new Map<string, string>()
  let endpoints: Understudy['endpoints'] | undefined
  let document: object = {}
  return (request: IncomingMessage, kind: keyof typeof writers): string => {
    const host = request.headers.host ?? ''
    const protocol = 'encrypted' in request.socket ? 'https' : 'http'
    const url = /^[\w.:[\]-]+$/.test(host) ? `${protocol}://${host}${mountPath(request)}` : undefined
    // An import may add or remove resources.
    if (understudy.endpoints !== endpoints) {
      endpoints = understudy.endpoints
      document = buildDocument({ resources: [...new Set(endpoints.map(({ resource }) => resource))] })
      texts.clear()
    }
    const key = `${kind} ${url}`
    const text =
      texts.get(key) ?? writers[kind](url === undefined ? document : { ...document, servers: [{ url }] })
    // A visitor may know this machine by any name.
    if (texts.size >= mostTexts) texts.clear()
    texts.set(key, text)
    return text
  }
}

const writers = { json: (document: object) => `${JSON.stringify(document)}\n`, yaml: toYaml } as const

type Entry = 'visitor' | 'token' | 'nobody'

/** Returns which clients may open the panel. With a token, the admin API checks it later. */
function findEntry(access: AdminAccess | undefined, { headers, socket }: IncomingMessage): Entry {
  if (access === undefined) return 'nobody'
  const { remoteAddress } = socket
  const refused = refuseVisitor(access, { headers, remoteAddress, isEncrypted: 'encrypted' in socket })
  if (refused === undefined) return 'visitor'
  return refused.status === 401 ? 'token' : 'nobody'
}

function sendText(
  response: ServerResponse,
  type: string,
  text: string,
  { status = 200, headers = {} }: { readonly status?: number; readonly headers?: object } = {},
): void {
  const length = Buffer.byteLength(text)
  response
    .writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8`, 'content-length': length })
    .end(hasReplyBody(response.req.method) ? text : undefined)
}

/** Shows the page of the OpenAPI document, or the reason why it is not available. */
function showDocs(
  response: ServerResponse,
  entry: Entry,
  access: AdminAccess | undefined,
  way: string,
): void {
  if (entry === 'nobody')
    sendText(response, 'text/html', links(access), { status: 403, headers: pageHeaders })
  else if (findSwaggerUi() === undefined)
    sendText(response, 'text/html', installHint, { status: 404, headers: pageHeaders })
  else {
    const headers = { ...pageHeaders, 'content-security-policy': docsPolicy }
    sendText(response, 'text/html', docsPage(way), { headers })
  }
}

/** Sends a file that a page loads, unless the page has the same version. */
function sendFile(request: IncomingMessage, response: ServerResponse, name: string, text: string): void {
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`
  const headers = { ...scriptHeaders, etag }
  if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end()
  else sendText(response, name.endsWith('.css') ? 'text/css' : 'text/javascript', text, { headers })
}

function sendNotFound(response: ServerResponse, path: string): void {
  const detail = `Nothing is at ${documentedRedactor.text(path)}; the API is under /api.`
  sendText(response, 'application/json', JSON.stringify({ title: 'Not found', detail }), { status: 404 })
}

/** Returns the page of the panel, which only loads its script. */
function panelPage(entry: Entry, way: string): string {
  return pageOf({
    title,
    attributes: entry === 'token' ? ' data-needs-token="yes"' : '',
    head: `<script type="module" src="${way}panel/page.js"></script>`,
    body: '<noscript><p>The panel needs JavaScript. The API is under <code>/api</code>, its description at <a href="openapi.json">openapi.json</a>.</p></noscript>',
  })
}

/** Returns the page without a panel: public links and the reason. */
function links(access: AdminAccess | undefined): string {
  const why =
    access === undefined
      ? 'The panel needs the admin API, which is off here.'
      : 'The panel is shown to this machine only; start the server with --admin-token to use it from elsewhere.'
  return pageOf({
    title,
    body: `<h1>pipeline-understudy</h1><p>A stand-in for the pipeline orchestration service. The API is under <code>/api</code>; its description is at <a href="openapi.json">openapi.json</a> and <a href="openapi.yaml">openapi.yaml</a>.</p><p>${why}</p>`,
  })
}

const title = 'understudy'
