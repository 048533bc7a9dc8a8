import { expect, it } from 'vitest'
import { ClientLint, clientRules } from '../src/traffic/client-lint.ts'
import '../src/integrations/matchers/vitest.ts'
import { messageOf } from './support/assertion-message.ts'
import { badClients, goodClients, runClient } from './support/clients.ts'
import { page } from './support/documents.ts'

const bad = Object.entries(badClients)

/** Credentials are hidden in the journal, so that no rule can compare them. */
const comparesCredentials = 'trigger-token'

it('has a bad client for each rule', () => {
  expect(bad.map(([rule]) => rule).sort()).toEqual(Object.keys(clientRules).sort())
})

it.each(bad.filter(([rule]) => rule !== comparesCredentials))(
  'names %s in the journal, and nothing else',
  async (rule, client) => {
    const { understudy } = await runClient(client)
    const message = messageOf(() => expect(understudy).toHaveNoClientIssues())
    const named = [...message.matchAll(/^([a-z-]+): (?:GET|POST|PUT|DELETE) /gm)].map(([, name]) => name)

    expect(named).toEqual([rule])
    expect(message).not.toMatch(/demo-key|demo-token|nightly-token/)
  },
)

it.each(Object.entries(goodClients))('finds nothing in the journal of %s', async (_, client) => {
  const { understudy } = await runClient(client)

  expect(understudy).toHaveNoClientIssues()
})

it('reports the request, the reason and the fix', async () => {
  const { traffic } = await runClient(badClients['error-as-success'])
  const lint = new ClientLint()
  for (const exchange of traffic) lint.add(exchange)

  expect(lint.issues).toEqual([
    {
      rule: 'error-as-success',
      request: 'GET /api/pipelines/undefined',
      reason: 'The URL contains `undefined`. An earlier reply, to POST /api/pipelines, was an error.',
      fix: clientRules['error-as-success'],
      count: 1,
    },
  ])
})

it('fails the negated assertion for a good client', async () => {
  const { understudy } = await runClient(async ({ send }) => send('GET', '/api/pipelines'))

  expect(() => expect(understudy).not.toHaveNoClientIssues()).toThrow('Expected an issue of the client.')
})

it('describes every rule on its page', () => {
  const listed = [...page('docs/client-issues.md').matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, rule]) => rule)

  expect(listed.sort()).toEqual(Object.keys(clientRules).sort())
})
