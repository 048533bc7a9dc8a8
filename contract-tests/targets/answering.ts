import type { Understudy } from '../../src/index.ts'
import type { Answering } from '../runner/transports/transport.ts'

/** Serves a mock to the verifier with plain values. Faults of delivery do not apply, because adapters deliver them. */
export function answering(understudy: Pick<Understudy, 'dispatch'>): Answering {
  return {
    async answer({ method, path, headers, body }) {
      const lower = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      )
      if (body !== undefined) lower['content-type'] ??= 'application/json'
      const reply = await understudy.dispatch({ method, url: path, headers: lower, body })
      if (reply === undefined) return { status: 404, contentType: '', text: '' }
      return { status: reply.status, contentType: reply.headers['content-type'] ?? '', text: reply.body }
    },
  }
}
