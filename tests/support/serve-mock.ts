import { onTestFinished } from 'vitest'
import { createUnderstudy, type Understudy } from '../../src/index.ts'
import { type ServeOptions, type Serving, serve } from '../../src/server/serve.ts'
import { company } from './company.ts'

/** Serves a mock whose client runs in the same busy process: an idle connection must stay open for seconds. */
export async function servePatiently(understudy: Understudy, options: ServeOptions = {}): Promise<Serving> {
  const serving = await serve(understudy, { port: 0, grace: 0, ...options })
  serving.server.keepAliveTimeout = 60_000
  return serving
}

/** Serves a mock until the end of a test: by default, one with the fixture of most tests. */
export async function serveMock(
  understudy: Understudy = createUnderstudy({ fixture: company }),
  options: ServeOptions = {},
  whenOver: (end: () => Promise<void>) => void = onTestFinished,
) {
  const { url, server, close } = await servePatiently(understudy, options)
  whenOver(() => {
    understudy.dispose()
    return close()
  })
  return { understudy, url, port: Number(new URL(url).port), server, close }
}
