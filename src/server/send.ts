import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Delivery, Leaving, Waits } from '../engine/faults/delivery.ts'
import { hasNoBody, toPieces } from '../engine/fetch.ts'
import type { UnderstudyReply } from '../engine/messages.ts'

/** Sends a reply, whole and at once. */
export function send(response: ServerResponse, reply: UnderstudyReply): void {
  if (response.destroyed) return
  if (hasNoBody(reply.status)) return void response.writeHead(reply.status, { ...reply.headers }).end()
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) })
  response.end(reply.body)
}

/** Sends a reply as its faults say: late, slowly, in part or not at all. */
export async function sendStruck(
  response: ServerResponse,
  reply: UnderstudyReply,
  { delay = 0, headTime = 0, bodyTime = 0, end }: Delivery,
  waits: Waits,
): Promise<void> {
  const { socket } = response
  if (socket === null) return
  const leaving: Leaving = (leave) => response.once('close', leave)
  if (delay > 0 && !(await waits.pause(delay, leaving))) return void socket.destroy()
  if (end === 'hang') await waits.forever(leaving)
  if (end === 'hang' || end === 'drop') return void socket.destroy()
  if (end === undefined && headTime === 0 && bodyTime === 0) return send(response, reply)
  // Past Node's own writer, which sends a head in one piece and keeps no half of a body apart.
  const bytes = Buffer.from(reply.body)
  const head = toPieces(Buffer.from(toHead(reply, bytes.length)), false)
  const body = toPieces(bytes, end === 'reset')
  const steps = [
    ...head.map((piece) => ({ piece, wait: headTime / head.length })),
    ...body.map((piece) => ({ piece, wait: bodyTime / body.length })),
  ]
  for (const { piece, wait } of steps) {
    if (wait > 0 && !(await waits.pause(wait))) return void socket.destroy()
    if (socket.destroyed) return
    socket.write(piece)
  }
  if (end === 'reset') socket.write('', () => socket.resetAndDestroy())
  else socket.end()
}

function toHead({ status, headers }: UnderstudyReply, length: number): string {
  const lines = Object.entries({ ...headers, 'content-length': length, connection: 'close' })
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')
}
