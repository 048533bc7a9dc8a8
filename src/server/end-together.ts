import type { ServerResponse } from 'node:http'
import { hasRealTurns, isSliceAhead, laterThisTurn } from '../engine/worlds/turns.ts'
import type { End } from './send.ts'

/** So many replies wait for one another at most. */
const mostTogether = 16

/** Replies are not to wait for a turn that may never come. */
const canWait = hasRealTurns()

/** Where the latest reply went: who asks again there, and nobody else in between, is alone. */
let latest: unknown
let ready: Parameters<End>[] = []

/**
 * Ends a reply together with those to the other requests that came in this turn of the event loop. A client that waits
 * for several is woken once: to wake it costs the system as much as a write costs us. For responses of a server of our
 * own alone: somebody else's code may look at a response, patch it, or be told of its end in the wrong context.
 */
export const endTogether: End = (response, body, encoding) => {
  const { socket } = response
  const isAlone = socket === latest
  latest = socket
  // Work in slices would take the time before the end of the turn.
  if (isAlone || !canWait || isSliceAhead()) return end(response, body, encoding)
  const count = ready.push([response, body, encoding])
  if (count === 1) laterThisTurn(endWaiting)
  else if (count === mostTogether) endWaiting()
}

/** Ends the replies that wait for one another. */
export function endWaiting(): void {
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
