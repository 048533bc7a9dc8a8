import { onTestFinished } from 'vitest'
import { createUnderstudy, type Understudy } from '../../src/index.ts'
import { type ServeOptions, serve } from '../../src/server/serve.ts'
import { company } from './company.ts'

/** Serves a mock until the end of a test: by default, one with the fixture of most tests. */
export async function serveMock(
  understudy: Understudy = createUnderstudy({ fixture: company }),
  options: ServeOptions = {},
  whenOver: (end: () => Promise<void>) => void = onTestFinished,
) {
  const { url, server, close } = await serve(understudy, { port: 0, grace: 0, ...options })
  // The client runs in the same busy process: an idle connection must stay open for seconds.
  server.keepAliveTimeout = 60_000
  whenOver(() => {
    understudy.dispose()
    return close()
  })
  return { understudy, url, port: Number(new URL(url).port), server, close }
}
