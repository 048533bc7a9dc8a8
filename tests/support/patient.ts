import type { ServeOptions } from '../../src/server/serve.ts'

/**
 * How a test serves what it asks by `fetch`: one process asks and answers here, so that a machine that stands still for
 * seconds would have the server close the connection on which the next request is being written.
 */
export const patient: ServeOptions = { port: 0, grace: 0, timeouts: { idle: 60_000 } }
