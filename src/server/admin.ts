import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Admin, AdminReply } from '../admin/index.ts'
import type { Understudy } from '../engine/create-understudy.ts'
import { bodyLimit } from '../engine/messages.ts'
import { splitUrl } from '../engine/query.ts'
import { type Listener, readText } from './listener.ts'

/** Whether the admin API is there: for this machine, or for whoever has a token, from anywhere. */
export type AdminOption = boolean | { readonly token?: string | undefined }

/** The admin API behind a listener, and the end of its streams. */
export interface AdminListener {
  readonly handle: Listener
  /** Ends the streams that are open. */
  close(): void
}

const adminPath = /^(?:[A-Za-z][\w+.-]*:\/\/[^/?#]*)?\/__understudy__\/api(?:[/?#]|$)/
/** How often a stream says that it is still there, so that nobody between takes it for dead. */
const beatMilliseconds = 15_000

/** Creates the listener of the admin API; what is not under its path goes to `next`. */
export function createAdminListener(
  understudy: Understudy,
  option: AdminOption,
  host?: string,
): AdminListener {
  // Loaded when somebody asks: requests to the API never pay for it.
  let loaded: Promise<Admin> | undefined
  const streams = new Set<() => void>()
  const token = typeof option === 'object' ? option.token : undefined
  if (token === '') throw new Error('[understudy] The admin token is empty.')
  const load = () =>
    import('../admin/index.ts').then(({ createAdmin }) => createAdmin(understudy as never, { token, host }))
  return {
    handle(request, response, next) {
      if (option === false || !adminPath.test(request.url ?? '/')) return next()
      loaded ??= load()
      void loaded
        .then((admin) => ask(admin, request))
        .then((reply) => send(request, response, reply, streams))
    },
    close() {
      for (const end of streams) end()
    },
  }
}

function ask(admin: Admin, request: IncomingMessage): Promise<AdminReply> {
  const { path, search } = splitUrl(request.url ?? '/')
  return admin.answer({
    method: request.method ?? 'GET',
    path,
    query: new URLSearchParams(search),
    headers: request.headers,
    remoteAddress: request.socket.remoteAddress,
    body: () => new Promise((done) => readText(request, done)),
  })
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: AdminReply,
  streams: Set<() => void>,
): void {
  if (response.destroyed) return
  if (typeof body === 'string') {
    const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) }
    response.writeHead(status, { ...headers, ...length }).end(body)
    return
  }
  response.writeHead(status, headers)
  if (request.method === 'HEAD') {
    response.end()
    return
  }
  const stop = body((text) => {
    // A client that does not read is let go before it fills the memory.
    if (response.writableLength > bodyLimit) response.destroy()
    else response.write(text)
  })
  const beat = setInterval(() => response.write(':\n\n'), beatMilliseconds)
  beat.unref()
  const end = () => {
    clearInterval(beat)
    stop()
    streams.delete(end)
    response.end()
  }
  streams.add(end)
  response.once('close', end)
}
