import * as http from 'node:http'
import * as https from 'node:https'
import { rootCertificates } from 'node:tls'
import supertest from 'supertest'
import { mostReplyBytes } from '../../../src/shared/read-reply.ts'
import { TooLarge } from '../limits.ts'
import type { Connected, Incoming, Outgoing } from './transport.ts'

/** The lifetime of an idle connection. Servers wait longer before they close one. */
const idleMilliseconds = 500

/** Sends requests to a base URL, also with a user in it, whom no report shows. `ca` is a trusted certificate (PEM). */
export function overHttp(target: string, ca?: string): Connected {
  const { base, authorization } = withoutUser(target)
  const { Agent } = base.startsWith('https:') ? https : http
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] }
  const persistent = new Agent({ keepAlive: true, timeout: idleMilliseconds, ...trusted })
  const single = new Agent(trusted)
  let isPersistent = true
  // A client sends chunks only to a server that has replied with HTTP/1.1 (RFC 9112, 6.1).
  let takesChunks = false
  const noteVersion = (version: string) => {
    takesChunks ||= Number(version) >= 1.1
  }
  return {
    base,
    authorization,
    async send(request, timeout) {
      const send = (agent: http.Agent) =>
        sendOnce(base, request, timeout, { agent, takesChunks, noteVersion })
      const { reply, wasReused } = send(isPersistent ? persistent : single)
      try {
        return await reply
      } catch (error) {
        // A server may close an idle connection while its next request arrives. This is no defect.
        if (!wasReused() || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
        isPersistent = false
        return send(single).reply
      }
    },
    close: () => persistent.destroy(),
  }
}

/** The agent and the known abilities of a connection. */
interface Connection {
  readonly agent: http.Agent
  readonly takesChunks: boolean
  noteVersion(version: string): void
}

/** Sends one request, over a connection of the agent or a new one. */
function sendOnce(
  base: string,
  { method, path, headers: { 'Transfer-Encoding': coding, ...headers }, body }: Outgoing,
  timeout: number,
  { agent, takesChunks, noteVersion }: Connection,
): { readonly reply: Promise<Incoming>; readonly wasReused: () => boolean } {
  let tooLarge: TooLarge | undefined
  const call = supertest(base)[method.toLowerCase() as 'get'](path) as SuperagentRequest
  answerOnce(call)
  call
    .set(headers)
    .timeout(timeout)
    .redirects(0)
    .ok(() => true)
    .buffer(true)
    .parse((response, done) => {
      // Superagent passes the message of Node, which its types hide.
      noteVersion((response as unknown as http.IncomingMessage).httpVersion)
      let text = ''
      let bytes = 0
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        bytes += chunk.length
        if (bytes > mostReplyBytes) {
          tooLarge ??= new TooLarge()
          text = ''
          call.abort()
        } else text += chunk
      })
      response.on('end', () => done(null, text))
    })
  call.agent(agent)
  if (body !== undefined) {
    call.set('Content-Type', headers['Content-Type'] ?? 'application/json')
    // Without a known length, Node sends the body in chunks.
    if (coding === 'chunked' && takesChunks) call.write(body)
    else call.send(body)
  }
  const reply = call.then(
    (answered): Incoming => ({
      status: answered.status,
      contentType: String(answered.headers['content-type'] ?? ''),
      text: typeof answered.body === 'string' ? answered.body : '',
      date: answered.headers.date,
      retryAfter: answered.headers['retry-after'],
      location: answered.headers.location,
    }),
    (error: unknown) => {
      throw tooLarge ?? error
    },
  )
  return { reply, wasReused: () => call.request().reusedSocket }
}

/** Members of superagent's requests that its types lack. */
type SuperagentRequest = supertest.Test & {
  request(): http.ClientRequest
  callback(error: unknown, response?: unknown): void
}

/** If a connection breaks within a reply, superagent calls back twice and warns. */
function answerOnce(call: SuperagentRequest): void {
  const callback = call.callback.bind(call)
  let isAnswered = false
  call.callback = (...answer) => {
    if (isAnswered) return
    isAnswered = true
    callback(...answer)
  }
}

/** Decodes percent codes. A text with an invalid code stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Removes the user, password, query and fragment of a URL. Callers add paths to the result. */
export function withoutUser(target: string): { base: string; authorization: Record<string, string> } {
  const url = new URL(target)
  const { username, password } = url
  const base = target.replace(/[?#].*/s, '').replace(/(?<!\/)\/+$/, '')
  if (username === '' && password === '') return { base, authorization: {} }
  const user = `${decoded(username)}:${decoded(password)}`
  url.username = ''
  url.password = ''
  url.search = ''
  url.hash = ''
  const authorization = { Authorization: `Basic ${Buffer.from(user).toString('base64')}` }
  return { base: url.href.replace(/(?<!\/)\/+$/, ''), authorization }
}

/** Returns a target for display. Only an HTTP URL is safe to show. */
export function shownTarget(target: string | undefined): string {
  const isAddress = target !== undefined && URL.canParse(target) && /^https?:/i.test(target)
  return isAddress ? withoutUser(target).base : 'no target'
}
