import { createUnderstudy } from 'pipeline-understudy'
import { demo } from 'pipeline-understudy/fixtures'
import { serve } from 'pipeline-understudy/node'

/** Starts a mock that stands in for the real server. */
async function startServer() {
  const { url, server } = await serve(createUnderstudy({ fixture: demo }), { port: 0 })
  server.unref()
  return url
}

/** Base URL of the server. */
export const target = process.env.TARGET ?? (await startServer())
