import { setupServer } from 'msw/node'
import { createHandlers } from '../../src/handlers/index.ts'
import { createUnderstudy } from '../../src/index.ts'
import { company } from '../../tests/support/company.ts'
import { attack, codeOf, differs } from './target.ts'

const url = 'http://localhost/api/pipelines'
const deep = '['.repeat(100_000)

/** Requests that the Fetch API accepts, and that no app should send. */
const hostileRequests: readonly (readonly [what: string, url: string, body?: BodyInit])[] = [
  ['a path with a bad percent-encoding', `${url}/%zz`],
  ['a path of 100,000 characters', `${url}/${'x'.repeat(100_000)}`],
  ['a query of 5,000 parameters', `${url}?${'a=1&'.repeat(5_000)}`],
  ['a path that leads up', `${url}/..%2f..%2fetc`],
  ['a body with a prototype', url, '{"pipeline":{"__proto__":{"polluted":1},"name":"a","type":"python"}}'],
  ['a body of 100,000 levels', url, `{"pipeline":{"name":"a","type":"python","x":${deep}`],
  ['a body of 12 MB', url, `"${'x'.repeat(12 * 1024 * 1024)}"`],
  ['a body that is not UTF-8', url, new Uint8Array([0x7b, 0xff, 0xfe, 0x7d])],
  ['a form', url, new URLSearchParams({ pipeline: 'a' })],
]

/** Attacks on the mock inside the process of a test, where a defect would fail the test of somebody else. */
export const inProcessAttacks = [
  attack({
    name: 'in process: hostile requests through Mock Service Worker',
    async send() {
      const understudy = createUnderstudy({ fixture: company })
      const server = setupServer(...createHandlers(understudy))
      server.listen({ onUnhandledRequest: 'error' })
      try {
        const found: string[] = []
        for (const [what, target, body] of hostileRequests) {
          const init = body === undefined ? {} : { method: 'POST', body }
          const reply = await fetch(target, init)
          const envelope: unknown = await reply.json()
          const isAnswered = reply.status === 200 && typeof envelope === 'object' && envelope !== null
          if (!isAnswered || !('error' in envelope || 'pipelines' in envelope))
            found.push(`${what}: HTTP ${reply.status} ${JSON.stringify(envelope).slice(0, 200)}`)
        }
        return [found, 'polluted' in {}, (await fetch(url)).status]
      } finally {
        server.close()
        understudy.dispose()
      }
    },
    holds: (outcome) =>
      differs(
        'replies without an envelope, a polluted prototype, the next request',
        [[], false, 200],
        outcome,
      ),
  }),
  attack({
    name: 'in process: a clock that goes backwards between a trigger and its end',
    async send({ ask, admin }) {
      const move = (path: string, body: object) => admin('POST', `/worlds/main/clock/${path}`, body)
      const codes: number[] = []
      for (const at of ['2026-06-01T00:00:00Z', '2020-01-01T00:00:00Z', '2026-06-02T00:00:00Z']) {
        codes.push((await move('freeze', { at })).status)
        codes.push(
          codeOf(await ask('POST', '/api/pipelines/daily_sales/backfills', { backfill: { name: at } })),
        )
        codes.push(codeOf(await ask('GET', '/api/pipeline_runs?_limit=1')))
        codes.push((await move('advance', { duration: '1h' })).status)
      }
      return [...new Set(codes)].toSorted()
    },
    holds: (codes) => differs('statuses and codes', [200], codes),
  }),
]
