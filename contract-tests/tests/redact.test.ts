import { expect, it } from 'vitest'
import { checkTarget } from '../runner/check-target.ts'
import { Secrets } from '../runner/redact.ts'
import { curlCommand } from '../runner/shell.ts'
import { toListener } from '../targets/built-in.ts'
import { learnNamed } from '../traffic/learn-credentials.ts'

it.each([
  { token: 'the-secret-itself' },
  { session: { accessToken: 'the-secret-itself' } },
  { users: [{ name: 'judge', password: 'the-secret-itself' }] },
  { error: { details: { api_key: 'the-secret-itself' } } },
  { token: ['the-secret-itself'] },
  { session: { token: { raw: 'the-secret-itself' } } },
])('redacts a value that a reply contains under the name of a credential: %j', (reply) => {
  const secrets = new Secrets()
  secrets.learn(reply)

  expect(secrets.redact('Received the-secret-itself.')).toBe('Received ***.')
})

it('leaves values under other names', () => {
  const secrets = new Secrets()
  secrets.learn({ backfill: { name: 'a name', key: 'value' }, metadata: { next: 'more' } })

  expect(secrets.redact('a name, value and more')).toBe('a name, value and more')
})

it('redacts a token whose last letter is percent-encoded', () => {
  const secrets = new Secrets({ TOKEN: 'token-of-a-schedule' })

  expect(secrets.redact('/pipeline_runs/token-of-a-schedul%65')).toBe('/pipeline_runs/***')
})

it('redacts a number under the name of a credential, and leaves ids beside it', () => {
  const secrets = new Secrets()
  secrets.learn({
    session: { token: 493_847_221_005 },
    oauth_access_token: { token: 'abc-def', user_id: 100_200_300 },
  })

  expect(secrets.redact('493847221005 and abc-def of 100200300')).toBe('*** and *** of 100200300')
})

it.each([
  ['HTML', 'a&amp;b&lt;c&quot;d e&#x27;&#246;'],
  ['JSON in ASCII', String.raw`a&b<c\"d e'\u00f6`],
  ['JSON for a page', String.raw`a\u0026b\u003cc\"d e'\u00F6`],
  ['JSON in JSON', String.raw`a&b<c\\\"d e'\\u00f6`],
  ['a form', 'a%26b%3Cc%22d+e%27%C3%B6'],
  ['a URL in small letters', 'a%26b%3cc%22d%20e%27%c3%b6'],
  ['a URL in a URL', 'a%2526b%253Cc%2522d%2520e%2527%25C3%25B6'],
  ['Python', String.raw`a&b<c"d e\'\xf6`],
  ['Base 64', 'YSZiPGMiZCBlJ8O2'],
])('redacts a password in the form of %s', (_, written) => {
  const secrets = new Secrets({ UNDERSTUDY_PASSWORD: `a&b<c"d e'ö` })

  expect(secrets.redact(`No user with ${written} is known: \\u0041&amp;`)).toBe(
    'No user with *** is known: \\u0041&amp;',
  )
})

it('redacts the password of a URL with and without its scheme', () => {
  const secrets = new Secrets()
  secrets.add('Basic YWxpY2U6dSRlci1wJnNz', 'UNDERSTUDY_USERINFO')

  expect(secrets.redact('alice:u$er-p&ss, u$er-p&ss, YWxpY2U6dSRlci1wJnNz')).toBe('***, ***, ***')
})

it('redacts a secret in every form of a reply or a command', () => {
  const secret = `a+b/c="quoted"\\it's`
  const secrets = new Secrets()
  secrets.add(secret)
  const body = { session: { password: secret } }
  const path = `/api?api_key=${encodeURIComponent(secret)}`
  const curl = curlCommand('http://x', { method: 'POST', path, credentials: {}, requestBody: body }, secrets)

  for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret), `k=${secret}`]) {
    expect(secrets.redact(form)).not.toMatch(/quoted|it's/)
  }
  expect(curl).not.toMatch(/quoted|it's|it'\\''s/)
})

it('redacts the message of a target that cannot be verified', async () => {
  const error = { code: 401, message: 'No such key: contract-key.', type: 'invalid_api_key' }
  const target = toListener(async () => Response.json({ error, status: 200 }))

  await expect(checkTarget({ target, apiKey: 'contract-key' })).rejects.toThrow('No such key: ***.')
})

it.each(['eyJ', 'eyJa.', '\\', '%25', '&amp;', 'password=', 'password="', ' --token '])(
  'learns and redacts a long repetition of %j in a time proportional to its length',
  (unit) => {
    const text = unit.repeat(200_000 / unit.length)
    const secrets = new Secrets({ UNDERSTUDY_TOKEN: unit.repeat(3) })
    const start = process.cpuUsage()
    learnNamed(text, secrets)
    secrets.redact(text)
    const { user, system } = process.cpuUsage(start)

    // 10 ms for each KB, which quadratic searches exceed many times.
    expect((user + system) / 1_000).toBeLessThan(2_000)
  },
)
