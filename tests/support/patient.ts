import type { Understudy } from '../../src/index.ts'
import { type ServeOptions, type Serving, serve } from '../../src/server/serve.ts'

/**
 * Serves a mock that a test asks by `fetch`. One process asks and answers here: if it pauses for seconds, the server would
 * close the connection on which the next request is being written.
 */
export async function servePatiently(understudy: Understudy, options: ServeOptions = {}): Promise<Serving> {
  const serving = await serve(understudy, { port: 0, grace: 0, ...options })
  serving.server.keepAliveTimeout = 60_000
  return serving
}
