import type { ServerResponse } from 'node:http'
import { inTurn, laterThisTurn } from '../engine/worlds/turns.ts'

/** How many characters of a long body are written at once, and how long a body is that is long. */
const pieceLength = 1024 * 1024

/** Whether a body takes so long to write that others are served meanwhile. */
export function isLong(body: string): boolean {
  return body.length > 2 * pieceLength
}

/** Sends a long body piece by piece, as fast as the client reads and others are served. */
export async function sendLong(
  response: ServerResponse,
  status: number,
  headers: readonly (string | number)[],
  body: readonly string[],
): Promise<void> {
  // What has made it has taken long as well.
  await new Promise<void>((resolve) => laterThisTurn(resolve))
  const pieces = body.length > 1 ? body : [...cut(body.join(''))]
  let characters = 0
  let length = 0
  for await (const piece of inTurn(pieces)) {
    characters += piece.length
    length += Buffer.byteLength(piece)
  }
  if (response.destroyed) return
  response.writeHead(status, [...headers, 'content-length', length])
  const isAscii = length === characters
  for await (const piece of inTurn(pieces)) {
    response.write(piece, isAscii ? 'latin1' : 'utf8')
    await drained(response)
    if (response.destroyed) return
  }
  response.end()
}

/** Cuts a text where no character is cut. */
function* cut(text: string): Iterable<string> {
  let start = 0
  while (start < text.length) {
    let end = start + pieceLength
    const last = text.charCodeAt(end - 1)
    if (last >= 0xd800 && last < 0xdc00) end--
    yield text.slice(start, end)
    start = end
  }
}

/** Resolves when the client has read what was written, or has left. */
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
