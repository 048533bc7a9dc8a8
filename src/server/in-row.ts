import type { ServerResponse } from 'node:http'

/**
 * Answers a request when it is its turn on the connection. Behind a reply that is not yet sent, it waits: a client that
 * asks on and does not read would fill the memory.
 */
export function inRow(response: ServerResponse, answer: () => void): void {
  if (response.socket === null) response.once('socket', answer)
  else answer()
}
