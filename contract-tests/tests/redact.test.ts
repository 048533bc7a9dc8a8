import { expect, it } from 'vitest'
import { Secrets } from '../judge/redact.ts'

it.each([
  { token: 'the-secret-itself' },
  { session: { accessToken: 'the-secret-itself' } },
  { users: [{ name: 'judge', password: 'the-secret-itself' }] },
  { error: { details: { api_key: 'the-secret-itself' } } },
])('takes out of every text what a reply has shown under the name of a credential: %j', (reply) => {
  const secrets = new Secrets()
  secrets.learn(reply)

  expect(secrets.redact('It says the-secret-itself.')).toBe('It says ***.')
})

it('leaves what stands under other names', () => {
  const secrets = new Secrets()
  secrets.learn({ backfill: { name: 'a name', key: 'value' }, metadata: { next: 'more' } })

  expect(secrets.redact('a name, value and more')).toBe('a name, value and more')
})

it('takes out a token whose last letter is written by its code', () => {
  const secrets = new Secrets({ TOKEN: 'token-of-a-schedule' })

  expect(secrets.redact('/pipeline_runs/token-of-a-schedul%65')).toBe('/pipeline_runs/***')
})
