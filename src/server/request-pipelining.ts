import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterCurrentTask } from '../engine/after-current-task.ts'

/** Maximum number of waiting requests of a connection; beyond it, reading pauses. */
const mostWaiting = 100
/** Maximum number of waiting requests to answer before other connections continue. */
const mostAtOnce = 32

/** The waiting requests of a connection, and whether it pauses reading. */
interface Queue {
  waiting: number
  isHeld: boolean
}

const queues = new WeakMap<Socket, Queue>()

function queueOf(socket: Socket): Queue {
  const known = queues.get(socket)
  if (known !== undefined) return known
  const queue = { waiting: 0, isHeld: false }
  // Node resumes a connection after each received request and body.
  socket.on('resume', () => {
    if (queue.isHeld) socket.pause()
  })
  queues.set(socket, queue)
  return queue
}

/**
 * Answers a request after the earlier ones of its connection. It waits for the previous reply: a client that sends requests
 * without reading replies would otherwise fill the memory.
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
    // Otherwise all requests of one chunk would precede those of other connections.
    if (queue.waiting > 0 && queue.waiting % mostAtOnce === 0) afterCurrentTask(answer)
    else answer()
  })
}
