import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Admin, AdminReply, AdminStream } from '../admin/index.ts'
import type { AdminAccess } from '../admin/security.ts'
import type { Understudy } from '../engine/create-understudy.ts'
import type { Waits } from '../engine/faults/delivery.ts'
import { adminPath } from '../shared/addresses.ts'
import { hasReplyBody, splitUrl } from '../shared/http.ts'
import * as limits from '../shared/limits.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import type { Listener } from './listener-types.ts'
import { readText } from './read-text.ts'
import { answerInOrder } from './request-pipelining.ts'
import { drained, failTo } from './send.ts'

/** Access to the admin API: `true` for this machine only, a token for clients from anywhere. */
export type AdminOption = boolean | { readonly token?: string | undefined }

/** Returns who may use the admin API; `undefined` if it is off. */
export function toAccess(option: AdminOption, host?: string): AdminAccess | undefined {
  return option === false ? undefined : { token: option === true ? undefined : option.token, host }
}

const forAdmin = new RegExp(`^(?:[A-Za-z][\\w+.-]*://[^/?#]*)?${adminPath}(?:[/?#]|$)`)
/** Interval of the heartbeats that prevent proxies from closing a stream, in milliseconds. */
const beatMilliseconds = 15_000

/** Creates the listener of the admin API. Requests with other paths go to `next`. */
export function createAdminListener(
  understudy: Understudy,
  option: AdminOption,
  waits: Waits,
  host?: string,
): Listener {
  const access = toAccess(option, host)
  if (access === undefined) return (_, __, next) => next()
  if (access.token === '') throw new UnderstudyError('OPTION_INVALID', 'The admin token is empty.')
  // Loaded at the first use, so that it does not slow down a mere mock.
  let loaded: Promise<Admin> | undefined
  const load = () => import('../admin/index.ts').then(({ createAdmin }) => createAdmin(understudy, access))
  const streams = new Streams(waits)
  return (request, response, next) => {
    if (!forAdmin.test(request.url ?? '/')) return next()
    answerInOrder(response, () => {
      loaded ??= load()
      loaded
        .then((admin) => handle(admin, request, streams.isFull))
        .then((reply) => send(request, response, reply, streams))
        .catch((error) => failTo(response, error))
    })
  }
}

/** The open streams, which end with their adapter. */
class Streams {
  /** The functions that end streams, by their responses. */
  readonly #open = new Map<ServerResponse, () => void>()
  #isOver = false
  /** Maximum number of bytes that wait for all clients. Between two counts, new bytes are added. */
  #waiting = 0

  constructor(waits: Waits) {
    void waits.forever().then(() => {
      this.#isOver = true
      for (const end of this.#open.values()) end()
    })
  }

  get isFull(): boolean {
    return this.#open.size >= limits.streams
  }

  /**
   * Sends a stream until either side stops it. The socket may still queue sent data. A write after the end would throw and
   * end the process.
   */
  start(response: ServerResponse, body: AdminStream): void {
    const write = (text: string) => {
      if (response.writableEnded || response.destroyed) return
      // Disconnects a client that does not read before it fills the memory.
      const before = response.writableLength
      if (before > limits.streamBacklog) {
        response.destroy()
        return
      }
      response.write(text)
      this.#waiting += Math.max(0, response.writableLength - before)
      if (this.#waiting > limits.streamsBacklog) this.#lighten()
    }
    const beat = setInterval(() => write(':\n\n'), beatMilliseconds)
    beat.unref()
    let stop: () => void = () => undefined
    const end = () => {
      clearInterval(beat)
      stop()
      this.#open.delete(response)
      response.end()
    }
    this.#open.set(response, end)
    response.once('close', end)
    stop = body({ write, ready: () => drained(response), end })
    if (this.#isOver || response.writableEnded) end()
  }

  /** Counts the waiting bytes, and disconnects the slowest clients if they are too many. */
  #lighten(): void {
    const waiting = [...this.#open.keys()].map((response) => ({ response, bytes: response.writableLength }))
    this.#waiting = waiting.reduce((sum, { bytes }) => sum + bytes, 0)
    if (this.#waiting <= limits.streamsBacklog) return
    // Down to half of the limit, so that this does not happen at each event.
    for (const { response, bytes } of waiting.sort((one, other) => other.bytes - one.bytes)) {
      if (this.#waiting <= limits.streamsBacklog / 2) return
      response.destroy()
      this.#waiting -= bytes
    }
  }
}

function handle(admin: Admin, request: IncomingMessage, isFull: boolean): Promise<AdminReply> {
  const { path, search } = splitUrl(request.url ?? '/')
  return admin.answer({
    method: request.method ?? 'GET',
    path,
    query: new URLSearchParams(search),
    // A request must have exactly one host.
    headers: { ...request.headers, host: hostsOf(request).join(', ') || undefined },
    remoteAddress: request.socket.remoteAddress,
    isEncrypted: 'encrypted' in request.socket,
    body: (maximum) => new Promise((done) => readText(request, done, maximum)),
    isFull,
  })
}

/** Returns the hosts that a request names; in HTTP/2, its authority. */
function hostsOf({ headersDistinct, headers }: IncomingMessage): readonly string[] {
  return headersDistinct?.host ?? [headers.host ?? headers[':authority'] ?? []].flat()
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: AdminReply,
  streams: Streams,
): void {
  if (response.destroyed) return
  if (typeof body === 'string') {
    const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) }
    response.writeHead(status, { ...headers, ...length }).end(body)
    return
  }
  response.writeHead(status, headers)
  if (hasReplyBody(request.method)) streams.start(response, body)
  else response.end()
}
