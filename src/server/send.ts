import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { afterCurrentTask, hasRealEventLoop } from '../engine/after-current-task.ts'
import type { Delivery, Leaving, Waits } from '../engine/faults/delivery.ts'
import { toPieces } from '../engine/faults/stream-body.ts'
import type { UnderstudyReply } from '../engine/messages.ts'
import { messageOf } from '../shared/built-ins.ts'
import { hasNoBody, hasReplyBody } from '../shared/http.ts'

/** Ends a response, and writes its head together with the body. */
export type End = (response: ServerResponse, body: string, encoding: 'latin1' | 'utf8') => void

const endAtOnce: End = (response, body, encoding) => void response.end(body, encoding)

export function send(response: ServerResponse, reply: UnderstudyReply, end: End = endAtOnce): void {
  if (response.destroyed) return
  const { status, headers, body } = reply
  if (status !== 200 && hasNoBody(status))
    return void response.writeHead(status, lengthOf(reply, Buffer.byteLength(body))).end()
  const pairs: (string | number)[] = []
  for (const [name, value] of Object.entries(headers)) pairs.push(name, value)
  const length = Buffer.byteLength(body)
  pairs.push('content-length', length)
  response.writeHead(status, pairs)
  // If bytes and characters are equal in number, all are ASCII, and Node writes latin1 faster.
  end(response, body, length === body.length ? 'latin1' : 'utf8')
}

/** Answers after an internal error. Other code may have ended the response already; the process continues. */
export function failTo(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  const detail = messageOf(error)
  const body = JSON.stringify({
    type: 'about:blank',
    title: 'A defect of pipeline-understudy',
    status: 500,
    detail,
  })
  try {
    response.writeHead(500, { 'content-type': 'application/problem+json' }).end(body)
  } catch {
    response.destroy()
  }
}

/** Sends a reply as its faults require: late, slowly, partially or not at all. */
export async function sendFaulty(
  response: ServerResponse,
  reply: UnderstudyReply,
  { delay = 0, headTime = 0, bodyTime = 0, end }: Delivery,
  waits: Waits,
): Promise<void> {
  const socket = await connectionOf(response)
  if (socket === undefined) return
  const leaving: Leaving = (leave) => {
    response.once('close', leave)
    return () => response.off('close', leave)
  }
  if (delay > 0 && !(await waits.pause(delay, leaving))) return void socket.destroy()
  if (end === 'hang') await waits.forever(leaving)
  if (end === 'hang' || end === 'drop') return void socket.destroy()
  const isBare = hasNoBody(reply.status) || !hasReplyBody(response.req.method)
  if (end === undefined && headTime === 0 && (bodyTime === 0 || isBare)) return send(response, reply)
  const bytes = Buffer.from(reply.body)
  const body = isBare ? [] : cutBytes(bytes, end === 'reset')
  const pauseOf = async (time: number) => time === 0 || (await waits.pause(time, leaving))
  let write = (piece: Buffer) => void response.write(piece)
  // HTTP/2 has no head to write in pieces.
  const isInPieces = headTime > 0 && response.req.httpVersionMajor === 1
  if (isInPieces) {
    // Bypasses Node's writer, which sends a head in one piece, so the connection ends with this reply.
    write = (piece) => void socket.write(piece)
    // The encoding of heads in Node: a header of a fault may contain characters above ASCII.
    const head = cutBytes(Buffer.from(toHead(reply, bytes.length), 'latin1'), false)
    for (const piece of head) {
      if (!(await pauseOf(headTime / head.length))) return void socket.destroy()
      write(piece)
    }
  } else {
    if (!(await pauseOf(headTime))) return void socket.destroy()
    response.writeHead(reply.status, lengthOf(reply, bytes.length)).flushHeaders()
  }
  for (const piece of body) {
    if (!(await pauseOf(bodyTime / body.length))) return void socket.destroy()
    write(piece)
  }
  if (end === 'reset') socket.write('', () => socket.resetAndDestroy())
  else if (isInPieces) socket.end()
  else response.end()
}

/** Resolves with the connection after the replies to earlier requests on it. */
function connectionOf(response: ServerResponse): Promise<Socket | undefined> | Socket | undefined {
  if (response.socket !== null) return response.socket
  const { socket } = response.req
  if (socket.destroyed) return undefined
  return new Promise((resolve) => {
    const leave = () => resolve(undefined)
    // Any number of requests may wait on one connection.
    socket.setMaxListeners(0).once('close', leave)
    response.once('socket', (own: Socket) => {
      socket.off('close', leave)
      resolve(own)
    })
  })
}

function cutBytes(bytes: Buffer, isHalf: boolean): readonly Buffer[] {
  return toPieces(bytes.length, isHalf, (start, end) => bytes.subarray(start, end))
}

function lengthOf({ status, headers }: UnderstudyReply, length: number): Record<string, string | number> {
  // Of the statuses without a body, only 205 has a length; otherwise the client would read the following data
  // as the body.
  if (hasNoBody(status) && status !== 205) return { ...headers }
  return { ...headers, 'content-length': length }
}

function toHead(reply: UnderstudyReply, length: number): string {
  const lines = Object.entries({ ...lengthOf(reply, length), connection: 'close' })
  return [
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')
}

/** Resolves when the client has read the data, or has left. */
export function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) return Promise.resolve()
  return new Promise((resolve) => {
    const wake = () => {
      response.off('drain', wake).off('close', wake)
      resolve()
    }
    response.once('drain', wake).once('close', wake)
  })
}

/** Maximum number of replies that wait for each other. */
const mostTogether = 16

/** The connection of the latest reply. If consecutive requests use the same one, its client is alone. */
let latest: unknown
let ready: Parameters<End>[] = []

/**
 * Ends a reply together with the others of the same iteration of the event loop. A client that waits for
 * several wakes up only once: that costs about as much as a write. Only for responses of our own server:
 * other code may inspect or patch a response, or get events in the wrong context.
 */
export const batchEnd: End = (response, body, encoding) => {
  const { socket } = response
  const isAlone = socket === latest
  latest = socket
  // A test may mock or stop the event loop, so do not wait for its next task.
  if (isAlone || !hasRealEventLoop) return end(response, body, encoding)
  const count = ready.push([response, body, encoding])
  if (count === 1) afterCurrentTask(endBatch)
  else if (count === mostTogether) endBatch()
}

/** Ends the replies that wait for each other. */
export function endBatch(): void {
  const endings = ready
  ready = []
  for (const ending of endings) end(...ending)
}

function end(response: ServerResponse, body: string, encoding: 'latin1' | 'utf8'): void {
  // Ending a response of a closed connection would start the next request on it.
  if (response.destroyed || response.socket?.destroyed) return
  response.write(body, encoding)
  // Removed first: `end` adds an empty text, and writing two texts takes longer than writing one.
  response.socket?.uncork()
  response.end()
}
