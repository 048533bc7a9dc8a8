import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { laterThisTurn } from '../engine/worlds/turns.ts'

/** So many requests of a connection wait for their turn before no more are read from it. */
const mostWaiting = 100
/** So many requests that have waited are answered before others have their turn. */
const mostAtOnce = 32

/** What waits on a connection for its turn, and whether it is held: nothing more is read from it. */
interface Row {
  waiting: number
  isHeld: boolean
}

const rows = new WeakMap<Socket, Row>()

function rowOf(socket: Socket): Row {
  const known = rows.get(socket)
  if (known !== undefined) return known
  const row = { waiting: 0, isHeld: false }
  // Node resumes a connection after each request and each body that has come.
  socket.on('resume', () => {
    if (row.isHeld) socket.pause()
  })
  rows.set(socket, row)
  return row
}

/**
 * Answers a request when it is its turn on the connection. Behind a reply that is not yet sent, it waits: a client that
 * asks on and does not read would fill the memory with replies, and with requests where all that it sends were read.
 */
export function inRow(response: ServerResponse, answer: () => void): void {
  if (response.socket !== null) {
    answer()
    return
  }
  const { socket } = response.req
  const row = rowOf(socket)
  row.waiting += 1
  if (row.waiting === mostWaiting) {
    row.isHeld = true
    socket.pause()
  }
  response.once('socket', () => {
    row.waiting -= 1
    if (row.isHeld && row.waiting === mostWaiting / 2) {
      row.isHeld = false
      socket.resume()
    }
    // All that one piece has brought would be answered in one turn of the event loop, while others wait.
    if (row.waiting > 0 && row.waiting % mostAtOnce === 0) laterThisTurn(answer)
    else answer()
  })
}
