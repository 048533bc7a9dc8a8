import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Calls something when what needs it is over. */
export type WhenOver = (close: () => void | Promise<void>) => void

/** Serves a listener on a free port until the test is over, and gives its base URL. */
export async function listen(
  listener: RequestListener,
  whenOver: WhenOver = onTestFinished,
): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  whenOver(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
