import * as fc from 'fast-check'
import { expect, it as itInParts } from 'vitest'
import * as z from 'zod/mini'
import { Redactor } from '../src/engine/journal/redact.ts'
import { createUnderstudy, type Understudy, UnderstudyError } from '../src/index.ts'
import { withMoments } from '../src/resources/define-resource.ts'
import { resources } from '../src/resources/index.ts'
import { apiKeyLocations, tokenLocations } from '../src/shared/credentials.ts'
import { isSecretName } from '../src/shared/secrets.ts'
import { company } from './support/company.ts'
import { everyNth, wholly } from './support/depth.ts'

const it = wholly(itInParts)

const shelf = withMoments({
  singular: 'shelf',
  plural: 'shelves',
  key: 'code',
  attributes: z.object({ code: z.string(), lantern: z.string() }),
  presents: ['code'],
  secrets: ['lantern', 'code'],
  operations: [
    {
      id: 'lightShelf',
      action: 'create',
      section: 'What the service does',
      routes: [{ method: 'POST', path: '/api/rooms/:room/shelves/by/:lantern/now', basis: 'custom' }],
    },
  ],
})

it('hides what the table of resources says is secret: in paths, keys and values', () => {
  const redactor = new Redactor([shelf])

  expect(redactor.path('/api/rooms/1/shelves/by/oil/now')).toBe('/api/rooms/1/shelves/***/***/now')
  expect(redactor.path('/shelves/a1/name')).toBe('/shelves/***/name')
  expect(redactor.text('/api/rooms?lantern=oil&lamp=gas&api_key=k')).toBe(
    '/api/rooms?lantern=***&lamp=gas&api_key=***',
  )
  expect(redactor.value({ lantern: 'oil', inner: [{ code: 'a1' }], at: '/shelves/a1' })).toEqual({
    lantern: '***',
    inner: [{ code: '***' }],
    at: '/shelves/***',
  })
})

it('hides the credentials of the document, and leaves the rest', () => {
  const redactor = new Redactor(resources)

  expect(redactor.path('/api/pipeline_schedules/2/pipeline_runs/hand-token')).toBe(
    '/api/pipeline_schedules/2/pipeline_runs/***',
  )
  expect(redactor.path('/api/pipeline_schedules/2/pipeline_runs')).toBe(
    '/api/pipeline_schedules/2/pipeline_runs',
  )
  expect(redactor.path('/oauth_access_tokens/mira-laptop/user_id')).toBe('/oauth_access_tokens/***/user_id')
  expect(redactor.path('/api/sessions')).toBe('/api/sessions')
  expect(
    redactor.headers({ 'X-API-KEY': 'k', 'oauth-token': 't', cookie: 'oauth_token=r', accept: '*/*' }),
  ).toEqual({
    'X-API-KEY': '***',
    'oauth-token': '***',
    cookie: '***',
    accept: '*/*',
  })
})

const redactor = new Redactor(resources)

it.each(['X-Tokens', 'x-apikeyid', 'Cookie2', 'x-secretive', 'x-token-type', 'passwd'])(
  'hides the header %s, which has such a word wherever in its name',
  (name) => {
    expect(redactor.headers({ [name]: 'lantern' })).toEqual({ [name]: '***' })
  },
)

it.each([
  [
    'a nested name in a form',
    'session[password]=lantern&session[email]=a',
    'session[password]=***&session[email]=a',
  ],
  ['the same, encoded', 'session%5Bpassword%5D=lantern&x=1', 'session%5Bpassword%5D=***&x=1'],
  ['a dotted name', 'session.accessToken=lantern', 'session.accessToken=***'],
  ['JSON that is broken', '{"accessToken": "lantern", "a": ', '{"accessToken": "***", "a": '],
  [
    'a part of a form',
    '--b\r\nContent-Disposition: form-data; name="session[password]"\r\nContent-Type: text/plain\r\n\r\nlantern\nlantern\r\n--b\r\nContent-Disposition: form-data; name="email"\r\n\r\na\r\n--b--',
    '--b\r\nContent-Disposition: form-data; name="session[password]"\r\nContent-Type: text/plain\r\n\r\n***\r\n--b\r\nContent-Disposition: form-data; name="email"\r\n\r\na\r\n--b--',
  ],
  [
    'JSON in a form',
    'payload=%7B%22password%22%3A%22lantern%22%7D&x=1',
    'payload=%7B%22password%22%3A%22***%22%7D&x=1',
  ],
  [
    'a URL in a form',
    'next=https%3A%2F%2Fa%2F%3Ftoken%3Dlantern%26b%3D1&x=1',
    'next=https%3A%2F%2Fa%2F%3Ftoken%3D***%26b%3D1&x=1',
  ],
  ['a name in brackets', 'os.environ["DB_PASSWORD"] = "lantern"', 'os.environ["DB_PASSWORD"] = "***"'],
  ['a typed constant', "const password: string = 'lantern'", "const password: '***'"],
  ['a typed argument', 'def f(password: str | None = "lantern"):', 'def f(password: "***"):'],
  ['three quotes', 'token = """\nlantern\n"""\na = 1', 'token = """***"""\na = 1'],
  ['backticks', 'password: `a lantern`', 'password: `***`'],
  ['a flag of one dash', 'Connect -Password lantern-light', 'Connect -Password ***'],
  ['JSON with quotes in it', '{"password":"a\\"lantern"}\n{}', '{"password":"***"}\n{}'],
  ['a text in broken JSON', '{"a":"{\\"password\\":\\"lantern\\"}"', '{"a":"{\\"password\\":\\"***\\"}"'],
  ['the user of a URL', 'see http://mira:lantern@host/a', 'see http://***@host/a'],
  ['a user with an @', 'see http://mira:lan@tern@host/a@b', 'see http://***@host/a@b'],
  ['a header', 'Authorization: Bearer lantern\nAccept: */*', 'Authorization: ***\nAccept: */*'],
  ['single quotes', "{'password': 'a lan\\'tern', 'a': 'b'}", "{'password': '***', 'a': 'b'}"],
  ['a name in single quotes', "a='password=lantern'", "a='password=***'"],
  [
    'an element',
    '<user><password>a lantern</password><a>b</a></user>',
    '<user><password>***</password><a>b</a></user>',
  ],
  [
    'an element of several lines',
    '<ns:Password type="x">\n  lantern\n</ns:Password>',
    '<ns:Password type="x">***</ns:Password>',
  ],
  ['an element with CDATA', '<token><![CDATA[lan<b>tern]]></token>', '<token>***</token>'],
  ['an attribute', '<user password="lantern" name="a"/>', '<user password="***" name="a"/>'],
  ['the value of an element', '<token type="x" value="lantern"/>', '<token type="x" value="***"/>'],
  [
    'the value of an entry',
    '<entry name="password" value="lantern"/>',
    '<entry name="password" value="***"/>',
  ],
  ['an entry', '<entry name="password">lantern</entry>', '<entry name="password">***</entry>'],
  ['an arrow', 'password => lantern, a => b', 'password => ***, a => b'],
  ['a line', 'user: a\npassword: lantern\nb: c', 'user: a\npassword: ***\nb: c'],
  [
    'an entry of YAML',
    '- name: DB_PASSWORD\n  value: lantern\n- name: a',
    '- name: DB_PASSWORD\n  value: ***\n- name: a',
  ],
  ['a pair in a form', 'name=password&value=lantern&a=b', 'name=password&value=***&a=b'],
  ['a text of several lines', 'password: |-\n  lantern\n  lantern\na: b', 'password: ***\na: b'],
  ['a flag that comes first', '--password hunter-lantern', '--password ***'],
  ['many spaces', '"password"          :          "lantern"', '"password"          :          "***"'],
  [
    'a list below it',
    'a:\n  passwords:\n    - lantern\n    - lantern\n  b: c',
    'a:\n  passwords:\n    ***\n  b: c',
  ],
  ['a list below it that is not indented', 'password:\n- lantern\n- lantern', 'password:\n***'],
  ['names below it', 'credentials:\n  user: lantern\n  key: lantern\nb: c', 'credentials:\n  ***\nb: c'],
  ['a word that is encoded', 'see password%3Dlantern now', 'see password%3D*** now'],
  [
    'a value that is encoded twice',
    '/api?next=%252Fa%253Ftoken%253Dlantern',
    '/api?next=%252Fa%253Ftoken%253D***',
  ],
  [
    'a value with half a character, which has no bytes',
    'x=\ud800%26password%3Dlantern',
    'x=%EF%BF%BD%26password%3D***',
  ],
  ['a URL without its scheme', '//mira:lantern@a/b', '//***@a/b'],
  ['all of a header', 'Cookie: a=lantern; b=lantern\nA: b', 'Cookie: ***\nA: b'],
  [
    'a header with quotes',
    'authorization: Digest username="lantern", response="lantern"\r\nA: b',
    'authorization: ***\r\nA: b',
  ],
  ['a header of one word', 'Authorization: Negotiate lantern', 'Authorization: ***'],
  [
    'a header in a command',
    'curl -H "Authorization: Bearer lantern" host',
    'curl -H "Authorization: ***" host',
  ],
  ['a flag', 'login --password hunter-lantern --name a', 'login --password *** --name a'],
  ['Bearer', 'sent Bearer lan.tern_tern to a', 'sent Bearer *** to a'],
  ['an escaped name', '{"pass\\u0077ord":"lantern', '{"pass\\u0077ord":"***'],
  ['a name of several words', '{"my password":"lantern","a":', '{"my password":"***","a":'],
  ['a list', '{"secrets":["lantern", "lantern"],"a":"b"', '{"secrets":***,"a":"b"'],
  ['a list without its end', '{"secrets":["lantern", "lantern', '{"secrets":***'],
  ['an object', '{"password":{"v":"lantern","w":["lantern"]},"a":', '{"password":***,"a":'],
  ['a deep object', '{"password":{"v":[{"w":["lantern"],"x":"lantern"', '{"password":***'],
  ['a pair', '{"name":"password","type":"a","value":"lantern', '{"name":"password","type":"a","value":"***'],
  ['a text that is cut', '{"password":"a lan\\"tern lantern', '{"password":"***'],
  [
    'a text thrice written',
    JSON.stringify(JSON.stringify({ password: 'lan"tern' })).slice(1),
    JSON.stringify(JSON.stringify({ password: '***' })).slice(1),
  ],
  ['commas and brackets', 'password=lan,tern)lan}tern&a=b', 'password=***&a=b'],
  ['a scheme before the word', 'X-Auth-Token: Bearer lantern\na: b', 'X-Auth-Token: ***\na: b'],
  ['quotes and signs in a word', "password=lan'tern#lan<tern>lan&a=b", 'password=***&a=b'],
  ['a word before a fragment', 'GET https://a/?token=lantern#x 200', 'GET https://a/?token=***#x 200'],
  [
    'a part of a form with line feeds',
    '--b\nContent-Disposition: form-data; name="password"\n\nlantern\nlantern\n--b',
    '--b\nContent-Disposition: form-data; name="password"\n\n***\n--b',
  ],
  ['another credential', 'password=token=lantern a', 'password=*** a'],
  ['a list of credentials', 'api_keys:\n  - lantern\n  - lantern\nb: c', 'api_keys:\n  ***\nb: c'],
  ['a list of credentials in brackets', 'tokens: [lantern, lantern]\nb: c', 'tokens: ***\nb: c'],
  ['a list of credentials in broken JSON', '{"api_keys":["lantern"],"a":', '{"api_keys":***,"a":'],
  ['pass', '{"user":"a","pass":"lantern', '{"user":"a","pass":"***'],
  ['pass in a form', 'user=a&pass=lantern&b=c', 'user=a&pass=***&b=c'],
  ['pass, an element', '<user>a</user><pass>lantern</pass>', '<user>a</user><pass>***</pass>'],
  ['a flag of curl', 'curl -s -u mira:lantern https://a/', 'curl -s -u *** https://a/'],
  ['a flag of curl in quotes', "curl --user 'mira:lan tern' a", "curl --user '***' a"],
  ['a flag of curl for its proxy', 'curl --proxy-user=mira:lantern a', 'curl --proxy-user=*** a'],
  ['a scheme and a user', 'to smtp:mira:lantern@a.example:25', 'to smtp:***@a.example:25'],
  ['a pair written the other way round', 'value=lantern&name=password&a=b', 'value=***&name=password&a=b'],
  [
    'an entry of YAML written the other way round',
    '- value: a\n  name: a\n- value: lantern\n  name: DB_PASSWORD',
    '- value: a\n  name: a\n- value: ***\n  name: DB_PASSWORD',
  ],
  [
    'an element written the other way round',
    '<entry value="a" name="a"/><entry value="lantern" name="password"/>',
    '<entry value="a" name="a"/><entry value="***" name="password"/>',
  ],
  [
    'broken JSON written the other way round',
    '{"value":"lantern","key":"token"',
    '{"value":"***","key":"token"',
  ],
])('hides what stands under %s in a text', (_, text, shown) => {
  expect(redactor.text(text)).toBe(shown)
})

it.each([
  'accessToken',
  'access_token',
  'X-Access-Token',
  'refreshToken',
  'userPassword',
  'client_secret',
  'clientSecret',
  'apiKey',
  'private_key',
  'session[password]',
  'session.password',
  'PASSWORD',
  'passphrase',
  'pwd',
  'passWd',
  'pass_wd',
  'authToken',
  'credentials',
])('hides what stands under %s in a value', (name) => {
  expect(redactor.value({ [name]: 'lantern', deep: [{ [name]: ['lantern'] }] })).toEqual({
    [name]: '***',
    deep: [{ [name]: '***' }],
  })
  expect(redactor.value({ name, value: 'lantern' })).toEqual({ name, value: '***' })
  expect(redactor.headers({ referer: `http://a/b?c=1&${encodeURIComponent(name)}=lantern` })).toEqual({
    referer: `http://a/b?c=1&${encodeURIComponent(name)}=***`,
  })
})

it.each([
  ['JSON', '{"password":"lantern","a":1}', '{"password":"***","a":1}'],
  ['JSON with quotes in it', '{ "password": "\\"lantern" }', '{"password":"***"}'],
  [
    'JSON in JSON',
    JSON.stringify([JSON.stringify({ token: 'lantern' })]),
    JSON.stringify([JSON.stringify({ token: '***' })]),
  ],
  ['a form', 'a=1&session%5Bpassword%5D=lantern', 'a=1&session%5Bpassword%5D=***'],
  ['a URL', 'https://mira:lantern@a/?token=lantern#x', 'https://***@a/?token=***#x'],
  [
    'a URL of a URL',
    `https://a/?next=${encodeURIComponent('https://b/?api_key=lantern')}`,
    `https://a/?next=${encodeURIComponent('https://b/?api_key=***')}`,
  ],
  ['JSON of a URL', '["https://a/?token=lantern"]', '["https://a/?token=***"]'],
  ['a URL with a fragment', 'https://a/#access_token=lantern&b=1', 'https://a/#access_token=***&b=1'],
  ['JSON of a text', '"{\\"password\\":\\"lantern\\"}"', '"{\\"password\\":\\"***\\"}"'],
  ['a pair', '[{"key":"password","value":"lantern"}]', '[{"key":"password","value":"***"}]'],
  ['a pair of other names', '[{"Uuid":"password","Value":"lantern"}]', '[{"Uuid":"password","Value":"***"}]'],
  [
    'a patch',
    '[{"op":"replace","path":"/session/password","value":"lantern"}]',
    '[{"op":"replace","path":"/session/password","value":"***"}]',
  ],
  ['JSON of a pass', '{"pass":"lantern","a":1}', '{"pass":"***","a":1}'],
  ['a list of pairs', '[["X-API-KEY","lantern"],["a","b"]]', '[["X-API-KEY","***"],["a","b"]]'],
  [
    'a list of credentials',
    '{"tokens":["lantern"],"api_keys":["lantern"]}',
    '{"tokens":"***","api_keys":"***"}',
  ],
])('looks for credentials in a text that is %s', (_, text, shown) => {
  expect(redactor.value({ payload: text, list: [text] })).toEqual({ payload: shown, list: [shown] })
  expect(redactor.headers({ 'x-payload': text })).toEqual({ 'x-payload': shown })
})

it.each([
  'the password must be 8 characters long',
  'session.password: expected a string; found 1.',
  'password: must be 8 characters long',
  'the token is expired',
  'token_type=bearer&passwordPolicy=strict',
  '{"token_type":"bearer","tokenUrl":"https://a.example/"',
  'keyboard: qwerty, max_tokens=5',
  'if token == other or token > 5:',
  'Bearer of news, Basic sales',
  'total_tokens: 3, max_api_keys=5, primary_keys: [id]',
  'the tests pass: all of them, pass = 3, pass=true',
  '<case result="pass" value="3"/>',
  'if a:\n    pass\nelse:\n    b = 1',
  'docker run -u 1000:1000 a && python -u a:b',
  'mail mira@a.example, mailto:mira@a.example, image:tag@sha256:0a1b, ssh git@a.example:b',
  'value=3&name=retries, value: 3',
  'class Token<T> {}\n\nconst head = \'{"alg":"HS256","typ":"JWT"}\'\n\nfunction of(a) {}',
])('leaves a text as it is that has no credential: %s', (text) => {
  expect(redactor.text(text)).toBe(text)
  expect(redactor.value([text])).toEqual([text])
})

it('hides a credential in a text of valid JSON as in any other', () => {
  expect(
    redactor.value({ content: 'login(a)\npassword: lantern\n', auth: 'Authorization: Basic lantern' }),
  ).toEqual({
    content: 'login(a)\npassword: ***\n',
    auth: 'Authorization: ***',
  })
})

it('knows every place of a credential by its name', () => {
  const places = [apiKeyLocations, tokenLocations].flatMap((locations) => Object.values(locations))

  expect(places.map(({ name }) => name)).toEqual([
    'X-API-KEY',
    'api_key',
    'api_key',
    'OAUTH-TOKEN',
    'Authorization',
    'oauth_token',
  ])
  expect(places.filter(({ name }) => !isSecretName(name))).toEqual([])
})

it.each([
  [
    'another letter case',
    '/api/PIPELINE_SCHEDULES/1/Pipeline_Runs/lantern',
    '/api/PIPELINE_SCHEDULES/1/Pipeline_Runs/***',
  ],
  [
    'a slash too many',
    '/api//pipeline_schedules/1/pipeline_runs//lantern',
    '/api/pipeline_schedules/1/pipeline_runs/***',
  ],
  [
    'encoded letters',
    '/api/pipeline%5Fschedules/1/pipeline%5Fruns/lantern',
    '/api/pipeline_schedules/1/pipeline_runs/***',
  ],
  [
    'another action',
    '/api/pipeline_schedules/1/api_trigger/lantern',
    '/api/pipeline_schedules/1/api_trigger/***',
  ],
  ['a resource that keeps no records', '/api/sessions/lantern', '/api/sessions/***'],
  ['a parameter in it', '/api/pipelines;token=lantern', '/api/pipelines;token=***'],
  ['a name in it', '/api/password=lantern', '/api/password=***'],
])(
  'hides the credential of a path that misses its route by %s, in the journal and in the refusal',
  async (_, path, shown) => {
    const understudy = createUnderstudy({ fixture: company })
    const reply = await understudy.dispatch({ method: 'POST', url: path })
    const [entry] = understudy.journal.entries()

    expect(JSON.parse(reply!.body)).toMatchObject({ error: { message: expect.stringContaining(shown) } })
    expect(entry).toMatchObject({ path: shown })
    expect(JSON.stringify([reply, entry])).not.toContain('lantern')
  },
)

it('leaves what is no credential as it is', () => {
  const value = {
    name: 'daily sales',
    pass: 3,
    check: { result: 'pass', value: 3 },
    total_tokens: 3,
    tokens: { max: 5 },
    steps: [{ description: 'Set the token first.', value: 7 }],
    fields: ['password', 'email', 'name'],
    keyboard: 'k',
    message: 'session.email: expected a string; found 1.',
    at: '2026-01-01 00:00:00',
    url: 'https://a.example/?q=1#x=2',
    mail: 'a@b.example',
    json: '{ "a": 1.0, "b": [] }',
    form: 'a=%7b&b=+',
  }
  expect(redactor.value(value)).toEqual(value)
})

/** What an expression might try again and again, where much of it stands in a row. */
const units = [
  'name=',
  'a:',
  '://a',
  '"a": ',
  'name="a"\r\n',
  '?a=',
  '[',
  '["',
  '{"a":',
  '\\"',
  'password=',
  "a='",
  "a='\\'",
  '://@',
  '<token ',
  '<token a',
  'token "',
  'password\\"',
  '"password\r\na',
  '"password" {',
  'password: {a',
  'password: [[',
  "password: '",
  'cookie: a="',
  '<password><![CDATA[',
  'Bearer ',
  ' --token ',
  'token: |\n a\n',
  'token: |\n ',
  'token=a#',
  "token=a'",
  'value=a&',
  'value=a,',
  'value=[',
  'api_keys=a,',
  '-u a:b ',
  'value=a&name=password&',
  'value="',
  'pass="',
  '\npass=',
  'tokens: [',
  'tokens:\n- ',
  'curl -u ',
  'curl -u a:',
  "curl -u '",
  'a:b:',
  'a:b@',
]

itInParts('takes a time that grows with the text alone', () => {
  for (const unit of everyNth(3, units)) {
    const text = unit.repeat(60_000 / unit.length)
    expect(redactor.text(text).length).toBeGreaterThan(0)
    expect(redactor.value([text, JSON.stringify(text)])).toHaveLength(2)
  }
})

it('answers and tells of a request that has half a character beside a credential', async () => {
  const understudy = createUnderstudy({ fixture: company })
  const pipeline = { name: 'a', type: 'python', description: 'x=\ud800%26password%3Dlantern' }
  await understudy.dispatch({ method: 'POST', url: '/api/pipelines', body: JSON.stringify({ pipeline }) })
  const missed = await understudy.dispatch({ method: 'GET', url: '/api/x=\ud800%26password%3Dlantern' })

  expect(missed).toMatchObject({ code: 404 })
  expect(understudy.journal.entries()).toMatchObject([
    { request: { body: { pipeline: { description: 'x=%EF%BF%BD%26password%3D***' } } } },
    { path: '/api/x=%EF%BF%BD%26password%3D***' },
  ])
  expect(await understudy.journal.har()).toHaveProperty('log.entries.length', 2)
})

it('takes any text, also halves of characters', () => {
  const parts = [
    '\ud800',
    '\udc00',
    '%',
    '%3D',
    '%22',
    '%ED%A0%80',
    '=',
    '"',
    ':',
    'password',
    'a',
    '\u2028',
    '\n',
    '{',
    '[',
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), (some) => {
      const text = some.join('')
      expect(redactor.text(text)).toBeTypeOf('string')
      expect(redactor.value({ [text]: [text, JSON.stringify(text)] })).toBeTypeOf('object')
      expect(redactor.headers({ a: text })).toBeTypeOf('object')
    }),
    { numRuns: 300 },
  )
})

const moment = '2026-01-01 00:00:00.000000+00:00'

it.each<[string, (understudy: Understudy) => unknown]>([
  [
    'a record',
    ({ model }) => model.users.create({ id: 9, username: 'a', email: 'a', password: 31337 as never }),
  ],
  [
    'a key that is taken',
    ({ model }) => model.oauth_access_tokens.create({ token: 'mira-laptop', user_id: 1, expires: moment }),
  ],
  ['a fixture', (understudy) => understudy.import({ users: [{ id: 1, password: 31337 }] })],
])('does not say the credential that it refuses in %s', async (_, refuse) => {
  const understudy = createUnderstudy({ fixture: company })
  const error = await Promise.resolve()
    .then(() => refuse(understudy))
    .catch((thrown: unknown) => thrown)

  expect(error).toBeInstanceOf(UnderstudyError)
  expect(JSON.stringify([(error as UnderstudyError).message, error])).not.toMatch(/31337|mira-laptop/)
  expect((error as UnderstudyError).message).toContain('found ***')
})

it('quotes no password in a reply, and so in no journal, archive or log', async () => {
  const understudy = createUnderstudy({ fixture: company })
  const send = (path: string, body: unknown) =>
    understudy.dispatch({ method: 'POST', url: path, headers: {}, body: JSON.stringify(body) })
  const replies = [
    await send('/api/sessions', { session: { email: 'mira', password: 31337 } }),
    await send('/api/sessions', { session: { email: { password: '31337' }, password: 'x' } }),
    await send('/api/sessions', [{ password: '31337' }]),
    await send('/api/sessions', { session: 'password=31337' }),
    await send('/api/pipelines/daily_sales/backfills', { backfill: { variables: 'token: 31337' } }),
  ]

  expect(replies.map((reply) => reply!.body).join()).not.toContain('31337')
  expect(JSON.stringify([understudy.journal.entries(), await understudy.journal.har()])).not.toContain(
    '31337',
  )
})
