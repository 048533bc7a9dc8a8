import type { ServerResponse } from 'node:http'
import { afterThisTurn, hasRealTurns } from '../engine/after-this-turn.ts'
import type { End } from './send.ts'

/** So many replies wait for one another at most. */
const mostTogether = 16

/** Where the latest reply went: who asks again there, and nobody else in between, is alone. */
let latest: unknown
let ready: Parameters<End>[] = []

/**
 * Ends a reply together with those to the other requests that came in this turn of the event loop. A client that waits
 * for several is woken once: to wake it costs the system as much as a write costs us. For responses of a server of our
 * own alone: somebody else's code may look at a response, patch it, or be told of its end in the wrong context.
 */
export const batchEnd: End = (response, body, encoding) => {
  const { socket } = response
  const isAlone = socket === latest
  latest = socket
  // A reply must not wait for a turn that may never come.
  if (isAlone || !hasRealTurns) return end(response, body, encoding)
  const count = ready.push([response, body, encoding])
  if (count === 1) afterThisTurn(endBatch)
  else if (count === mostTogether) endBatch()
}

/** Ends the replies that wait for one another. */
export function endBatch(): void {
  const endings = ready
  ready = []
  for (const ending of endings) end(...ending)
}

function end(response: ServerResponse, body: string, encoding: 'latin1' | 'utf8'): void {
  // What was ended here would be finished, and let the next request on a connection that is gone be carried out.
  if (response.destroyed || response.socket?.destroyed) return
  response.write(body, encoding)
  // At once: `end` adds an empty text, and to write two takes longer than one.
  response.socket?.uncork()
  response.end()
}
