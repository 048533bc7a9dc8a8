import { attack, differs, get, last, statusesIn } from './target.ts'

/** Faults that would break their own message, or cost more than a request may. */
export const faultAttacks = [
  attack({
    name: 'faults: a body with 204, sent slowly',
    async send({ admin, raw }) {
      await admin('POST', '/worlds/main/faults', {
        status: 204,
        body: 'not for you',
        slowBody: '20ms',
        times: 1,
      })
      return raw([get('/api/backfills'), get('/api/pipelines', last)])
    },
    problemOf: (text) =>
      differs('statuses', [204, 200], statusesIn(text)) ??
      (text.includes('not for you') ? 'the body was sent' : undefined),
  }),
  ...[{ slowHeaders: '20ms' }, { slowBody: '20ms' }].map((slow) =>
    attack({
      name: `faults: HEAD under ${Object.keys(slow)}`,
      async send({ admin, raw }) {
        await admin('POST', '/worlds/main/faults', { ...slow, method: 'HEAD' })
        return raw(get('/api/backfills', last).replace('GET', 'HEAD'))
      },
      problemOf: (text) => differs('what follows the head', '', text.slice(text.indexOf('\r\n\r\n') + 4)),
    }),
  ),
  attack({
    name: 'faults: a path of 50,000 stars',
    send: ({ admin }) =>
      admin('POST', '/worlds/main/faults', {
        operation: 'listBlocks',
        path: `/api/${'*a'.repeat(50_000)}`,
        hang: true,
      }),
    problemOf: (answer) => differs('status', 422, answer.status),
  }),
  attack({
    name: 'faults: a wait that is longer than a timer takes',
    async send({ admin, raw }) {
      for (const latency of ['30d', '30d', { lognormal: { median: '25d', sigma: 300 } }]) {
        await admin('POST', '/worlds/main/faults', { operation: 'listPipelines', latency })
      }
      return raw(get('/api/pipelines'), { quiet: 200 })
    },
    problemOf: (text) => differs('what came', '', text),
  }),
]
