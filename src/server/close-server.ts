import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Collects the open sockets of a server for its shutdown; Node only knows those that have sent data. */
export function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

/** Accepts nothing new, lets requests in flight finish, and cuts connections after the grace period, in milliseconds. */
export function closeServer(server: Server, sockets: ReadonlySet<Socket>, grace: number): Promise<void> {
  const closeIdle = () => {
    server.closeIdleConnections()
    // Clients open connections ahead of their requests; Node does not count those as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  // Clients that get a reply during the shutdown must not reuse the connection.
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false
  })
  return new Promise((resolve) => {
    const sweep = setInterval(closeIdle, 20)
    const cut = setTimeout(() => server.closeAllConnections(), grace)
    server.close(() => {
      clearInterval(sweep)
      clearTimeout(cut)
      resolve()
    })
    closeIdle()
  })
}
