import type { IncomingMessage, Server } from 'node:http'
import type { Understudy } from '../engine/create-understudy.ts'
import type { Fixture } from '../factories/fixture-type.ts'
import { adminPath } from '../shared/addresses.ts'

/** A first visit within this time gets the fixture of the start, in milliseconds. */
const freshness = 10_000

/** Loads a fixture again at the first visit, so that its first events are still to come. A health check is no visit. */
export function loadAtFirstVisit(server: Server, understudy: Understudy, fixture: Fixture): void {
  const loadedAt = Date.now()
  const visit = ({ url, headers }: IncomingMessage) => {
    const isPage = headers.accept?.includes('text/html') === true
    if (!isPage && (url === '/' || url === `${adminPath}/health`)) return
    server.off('request', visit)
    if (Date.now() - loadedAt > freshness) understudy.import(fixture, { asStart: true })
  }
  server.prependListener('request', visit)
}
