import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterThisTurn } from '../engine/after-this-turn.ts'

/** So many requests of a connection wait for their turn before no more are read from it. */
const mostWaiting = 100
/** So many requests that have waited are answered before others have their turn. */
const mostAtOnce = 32

/** What waits on a connection for its turn, and whether it is held: nothing more is read from it. */
interface Queue {
  waiting: number
  isHeld: boolean
}

const queues = new WeakMap<Socket, Queue>()

function queueOf(socket: Socket): Queue {
  const known = queues.get(socket)
  if (known !== undefined) return known
  const queue = { waiting: 0, isHeld: false }
  // Node resumes a connection after each request and each body that has come.
  socket.on('resume', () => {
    if (queue.isHeld) socket.pause()
  })
  queues.set(socket, queue)
  return queue
}

/**
 * Answers a request when it is its turn on the connection. Behind a reply that is not yet sent, it waits: a client that
 * asks on and does not read would fill the memory with replies, and with requests where all that it sends were read.
 */
export function answerInOrder(response: ServerResponse, answer: () => void): void {
  if (response.socket !== null) {
    answer()
    return
  }
  const { socket } = response.req
  const queue = queueOf(socket)
  queue.waiting += 1
  if (queue.waiting === mostWaiting) {
    queue.isHeld = true
    socket.pause()
  }
  response.once('socket', () => {
    queue.waiting -= 1
    if (queue.isHeld && queue.waiting === mostWaiting / 2) {
      queue.isHeld = false
      socket.resume()
    }
    // All that one piece has brought would be answered in one turn of the event loop, while others wait.
    if (queue.waiting > 0 && queue.waiting % mostAtOnce === 0) afterThisTurn(answer)
    else answer()
  })
}
