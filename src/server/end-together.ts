import type { ServerResponse } from 'node:http'
import { isSliceAhead, laterThisTurn } from '../engine/worlds/turns.ts'

/** So many replies wait for one another at most. */
const mostTogether = 16

/** A test that puts the clock of its process aside before this is loaded would have replies wait for it. */
const isClockReal = !('clock' in globalThis.setImmediate)

/** Where the latest reply went: who asks again there, and nobody else in between, is alone. */
let latest: unknown
let ready: Ending[] = []

interface Ending {
  readonly response: ServerResponse
  readonly body: string
  readonly encoding: 'latin1' | 'utf8'
}

/**
 * Ends a reply together with those to the other requests that came in this turn of the event loop. A client that waits
 * for several is woken once: to wake it costs the system as much as a write costs us.
 */
export function endTogether(ending: Ending): void {
  const { socket } = ending.response
  const isAlone = socket === latest
  latest = socket
  // Work in slices would take the time before the end of the turn.
  if (isAlone || !isClockReal || isSliceAhead()) return void end(ending)
  const count = ready.push(ending)
  if (count === 1) laterThisTurn(endAll)
  else if (count === mostTogether) endAll()
}

function endAll(): void {
  const endings = ready
  ready = []
  for (const ending of endings) end(ending)
}

function end({ response, body, encoding }: Ending): void {
  if (!response.destroyed) response.end(body, encoding)
}
