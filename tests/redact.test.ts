import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { Redactor } from '../src/engine/journal/redact.ts'
import { createUnderstudy, type Understudy, UnderstudyError } from '../src/index.ts'
import { resources } from '../src/resources/index.ts'
import type { Resource } from '../src/resources/resource.ts'
import { apiKeyLocations, tokenLocations } from '../src/shared/credentials.ts'
import { findNamedSecrets, type ScannedText, vocabulary } from '../src/shared/find-named-secrets.ts'
import { isSecretName } from '../src/shared/secret-names.ts'
import { company } from './support/company.ts'

const shelf: Resource = {
  singular: 'shelf',
  plural: 'shelves',
  key: 'code',
  attributes: z.object({ code: z.string(), lantern: z.string() }),
  presents: ['code'],
  secrets: ['lantern', 'code'],
  times: [],
  operations: [
    {
      plural: 'shelves',
      id: 'lightShelf',
      action: 'create',
      section: 'What the service does',
      routes: [{ method: 'POST', path: '/api/rooms/:room/shelves/by/:lantern/now', basis: 'custom' }],
    },
  ],
}

it('redacts the secrets of resources in paths, keys and values', () => {
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

it.each([
  'sshpass -plantern-secret ssh host',
  '7z x -plantern archive.7z',
  'unzip -P lantern archive.zip',
  '_auth=lantern',
  'PHPSESSID=lantern',
  'SAMLResponse=lantern',
  'client_assertion=lantern',
  'code_verifier=lantern',
  'https://discord.com/api/v10/webhooks/1/lantern',
  'https://outlook.office.com/webhook/lantern',
  'https://hooks.zapier.com/hooks/catch/1/lantern',
  'https://maker.ifttt.com/trigger/late/with/key/lantern',
  ...['dop_v1_', 'shpat_', 'glrt-', 'dckr_pat_', 'whsec_', 'lin_api_', 'sq0atp-', 'hvs.', 'SG.', 'ya29.']
    .concat('AGE-SECRET-KEY-1', 'ATATT3')
    .map((prefix) => `The key ${prefix}lantern-lantern.lantern is in use.`),
])('redacts a credential: %s', (text) => {
  expect(new Redactor([]).text(text)).not.toContain('lantern')
})

it.each([
  'unzip archive.zip, and see the page',
  'auth: open',
  'The assertion failed: 1 is not 2.',
  'https://outlook.office.com/calendar/view',
  'gl-matrix and shpat are no keys',
])('leaves ordinary text: %s', (text) => {
  expect(new Redactor([]).text(text)).toBe(text)
})

it('keeps the records of a list that is named like a credential', () => {
  const redactor = new Redactor(resources)
  const records = [{ token: 'mira-laptop', user_id: 1 }]

  expect(redactor.value({ oauth_access_tokens: records })).toEqual({
    oauth_access_tokens: [{ token: '***', user_id: 1 }],
  })
  expect(redactor.value({ oauth_access_tokens: ['mira-laptop'] })).toEqual({ oauth_access_tokens: '***' })
  expect(redactor.value({ tokens: records })).toEqual({ tokens: '***' })
})

it('redacts documented credentials, and nothing else', () => {
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

it.each([
  'X-Tokens',
  'X-Auth',
  'api_keys',
  'pass',
  'x-apikeyid',
  'Cookie2',
  'x-secretive',
  'x-token-type',
  'passwd',
  'DPoP',
  'X-Session',
  'Ocp-Apim-Subscription-Key',
])('redacts the header %s by a part of its name', (name) => {
  expect(redactor.headers({ [name]: 'lantern' })).toEqual({ [name]: '***' })
})

it.each([
  // Forms and URLs, split as the engine splits them
  ['session[password]=lantern&session[email]=a', 'session[password]=***&session[email]=a'],
  ['session%5Bpassword%5D=lantern&x=1', 'session%5Bpassword%5D=***&x=1'],
  ['session.accessToken=lantern', 'session.accessToken=***'],
  ['user=a&pass=lantern&b=c', 'user=a&pass=***&b=c'],
  ['password=lan,tern)lan}tern&a=b', 'password=***&a=b'],
  ['name=password&value=lantern&a=b', 'name=password&value=***&a=b'],
  ['value=lantern&name=password&a=b', 'value=***password&a=b'],
  ['payload=%7B%22password%22%3A%22lantern%22%7D&x=1', 'payload=%7B%22password%22%3A%22***%22%7D&x=1'],
  ['next=https%3A%2F%2Fa%2F%3Ftoken%3Dlantern%26b%3D1&x=1', 'next=https%3A%2F%2Fa%2F%3Ftoken%3D***&x=1'],
  ['/api?next=%252Fa%253Ftoken%253Dlantern', '/api?next=%252Fa%253Ftoken%253D***'],
  ['/api/pipelines?api_key=ab;lantern&b=1', '/api/pipelines?api_key=***&b=1'],
  ['/api/pipelines?api_key=[ab]lantern&b=1', '/api/pipelines?api_key=***&b=1'],
  ['/api/pipelines?api_key==lantern', '/api/pipelines?api_key=***'],
  ['/api/pipelines?tokens=lantern,lantern', '/api/pipelines?tokens=***'],
  ['/api/pipelines?a[api_keys]=lantern&tokens[0]=lantern', '/api/pipelines?a[api_keys]=***&tokens[0]=***'],
  ['/a?X-Amz-Signature=lantern&sig=lantern&a=b', '/a?X-Amz-Signature=***&sig=***&a=b'],
  ['/a?sessionId=lantern&design=a&signature=lantern', '/a?sessionId=***&design=a&signature=***'],
  ['/api/pipeline_schedules/1/pipeline_runs/a/lantern', '/api/pipeline_schedules/1/pipeline_runs/***/***'],
  ['/api/pipeline_schedules/1/./pipeline_runs/lantern', '/api/pipeline_schedules/1/./***/***'],
  ['/api/pipelines?{"password":"lantern"}', '/api/pipelines?{"password":"***"}'],
  ['/api/pipelines?a=password%3Dlantern&b=1', '/api/pipelines?a=password%3D***&b=1'],
  ['/api/pipelines;token=lantern', '/api/pipelines;token=***'],
  ['/api/password=lantern', '/api/password=***'],
  ['/api/token/lantern', '/api/token/***'],
  ['https://mira:lantern@a/?token=lantern#x', 'https://***@a/?token=***#x'],
  ['https://a/#access_token=lantern&b=1', 'https://a/#access_token=***&b=1'],
  ['https://a?token=lantern', 'https://a?token=***'],
  ['/api/pipelines?q=Bearer+lantern-7&a=b', '/api/pipelines?q=Bearer+***&a=b'],
  // Escapes of HTML, and names of two words
  ['&#112;assword=lantern', '&#112;assword=***'],
  ['password&equals;lantern', 'password&equals;***'],
  ['password&colon;&nbsp;lantern', 'password&colon;&nbsp;***'],
  ['The API key: lantern', 'The API key: ***'],
  ['secret key = "lantern" and the key = 1', 'secret key = "***" and the key = 1'],
  ['keys of an API, the key: a, b key: c', 'keys of an API, the key: a, b key: c'],
  ['password = <<END\nlantern\nEND', 'password = ***'],
  // Users of URLs and of curl
  ['see http://mira:lantern@host/a', 'see http://***@host/a'],
  ['see http://mira:lan@tern@host/a@b', 'see http://***@host/a@b'],
  ['//mira:lantern@a/b', '//***@a/b'],
  ['to smtp:mira:lantern@a.example:25', 'to smtp:***@a.example:25'],
  ['curl -s -u mira:lantern https://a/', 'curl -s -u ***'],
  ["curl --user 'mira:lan tern' a", "curl --user '***"],
  ['curl --proxy-user=mira:lantern a', 'curl --proxy-user=***'],
  ['curl -umira:lantern a', 'curl -u***'],
  // Quotes
  ['{"accessToken": "lantern", "a": ', '{"accessToken": "***", "a": '],
  ['os.environ["DB_PASSWORD"] = "lantern"', 'os.environ["DB_PASSWORD"] = "***"'],
  ['token = """\nlantern\n"""\na = 1', 'token = """***"""\na = 1'],
  ['password: `a\nlantern`\nb', 'password: `***`\nb'],
  ['{"password":"a\\"lantern"}\n{}', '{"password":"***"}\n{}'],
  ['{"a":"{\\"password\\":\\"lantern\\"}"', '{"a":"{\\"password\\":\\"***\\"}"'],
  ["{'password': 'a lan\\'tern', 'a': 'b'}", "{'password': '***', 'a': 'b'}"],
  ['{"password":"a lan\\"tern lantern', '{"password":"***'],
  ['"password"          :          "lantern"', '"password"          :          "***"'],
  ['{"my password":"lantern","a":', '{"my password":"***","a":'],
  ['password "lantern"', 'password "***"'],
  ['password = "a" + "lantern"', 'password = "***'],
  ['password="a"lantern', 'password="***'],
  ['{"password"\n:\n"lantern"', '{"password"\n:\n***'],
  ['["password", "lantern", "a"]', '["password", "***", "a"]'],
  ['setHeader("X-API-KEY", "lantern")', 'setHeader("X-API-KEY", "***")'],
  ['setPassword("lantern")', 'setPassword("***")'],
  ['password ?? "lantern"', 'password ?? "***"'],
  // Other blanks
  ['password\u00a0=\u00a0lantern', 'password\u00a0=\u00a0***'],
  ['password\u200b: lantern', 'password\u200b: ***'],
  ['--token\\\n lantern\na', '--token\\\n ***\na'],
  // The rest of a line
  ['password: lantern\nb: c', 'password: ***\nb: c'],
  ['password = a lantern\nb', 'password = ***\nb'],
  ['PASSWORD := lantern', 'PASSWORD := ***'],
  ['password -> lantern', 'password -> ***'],
  ['password => lantern, a => b', 'password => ***'],
  ['password <- lantern', 'password <- ***'],
  ['| password | lantern |', '| password | ***'],
  ['password: str | None = "lantern"', 'password: ***'],
  ['if token == "lantern":', 'if token == "***":'],
  ["a='password=lantern'", "a='password=***"],
  ["password=lan'tern#lan<tern>lan a", 'password=***'],
  ['Authorization: Bearer lantern\nAccept: */*', 'Authorization: ***\nAccept: */*'],
  ['Authorization: Negotiate lantern', 'Authorization: ***'],
  ['authorization: Digest username="lantern", response="lantern"\r\nA: b', 'authorization: ***\r\nA: b'],
  ['Cookie: a=lantern; b=lantern\nA: b', 'Cookie: ***\nA: b'],
  ['curl -H "Authorization: Bearer lantern" host', 'curl -H "Authorization: ***'],
  ['X-Auth-Token: Bearer lantern\na: b', 'X-Auth-Token: ***\na: b'],
  ['GET https://a/?token=lantern#x 200', 'GET https://a/?token=***'],
  ['see password%3Dlantern now', 'see password%3D***'],
  ['password: must be lantern', 'password: ***'],
  // The spellings that were once stored in plain text
  ['password=f"lantern"', 'password=***'],
  ['password=r"lantern"', 'password=***'],
  ['pass: lantern', 'pass: ***'],
  ['password: !!str lantern', 'password: ***'],
  ['login --token \\\n  lantern', 'login --token \\\n  ***'],
  ['sent with bearer l4ntern', 'sent with bearer ***'],
  ['bearer lantern8', 'bearer ***'],
  ['api_key: ab;lantern', 'api_key: ***'],
  ['tokens: lantern, lantern', 'tokens: ***'],
  ['password = f"""\nlantern\n"""\na', 'password = ***\na'],
  ['password = dedent"""\nlantern\n"""', 'password = ***'],
  ['password = tag`\nlantern\n`', 'password = ***'],
  ['tokens:&quot;\nlantern&quot;', 'tokens:&quot;***&quot;'],
  ['password: &anchor lantern', 'password: ***'],
  ['const password =\n  "lantern"\na', 'const password =\n  ***\na'],
  ['token = read(\n  "lantern",\n)\na', 'token = ***\na'],
  // Flags of programs, and SQL
  ['mysql -u root -p lantern db', 'mysql -u root -p ***'],
  ['mysql -plantern db', 'mysql -p***'],
  ["mysqldump -h a -p'lantern' db", "mysqldump -h a -p'***' db"],
  ['/usr/bin/mariadb-dump -uroot \\\n  -plantern db', '/usr/bin/mariadb-dump -uroot \\\n  -p***'],
  ['["mysql", "-plantern"]', '["mysql", "-p***'],
  ['["docker", "login", "-p", "lantern"]', '["docker", "login", "-p", "***"]'],
  ['command:\n  - mysql\n  - -plantern\n', 'command:\n  - mysql\n  - -p***\n'],
  ['docker login -u mira -p lantern a.example', 'docker login -u mira -p ***'],
  ['sshpass -p 31337lantern ssh a', 'sshpass -p ***'],
  ['-p lantern', '-p ***'],
  ['deploy -p l4ntern now', 'deploy -p ***'],
  ['sqlcmd -U sa -P lantern', 'sqlcmd -U sa -P ***'],
  ['redis-cli -h a -a lantern ping', 'redis-cli -h a -a ***'],
  ['openssl -pass lantern', 'openssl -pass ***'],
  ['CREATE USER mira IDENTIFIED BY lantern;', 'CREATE USER mira IDENTIFIED BY ***'],
  ["identified by 'lantern' REQUIRE SSL", "identified by '***' REQUIRE SSL"],
  ["IDENTIFIED WITH mysql_native_password BY 'lantern'", "IDENTIFIED WITH mysql_native_password BY '***'"],
  // Sentences
  ['the password is lantern', 'the password is ***'],
  ['My password is "lantern", he said', 'My password is "***", he said'],
  ['The API key was lantern-7 until today', 'The API key was ***'],
  ['the passwords are lantern and lantern', 'the passwords are ***'],
  // Octal escapes
  ['pa\\163sword=lantern', 'pa\\163sword=***'],
  ['password\\75lantern', 'password\\75***'],
  // Other headers
  ['X-Session: lantern\nA: b', 'X-Session: ***\nA: b'],
  ['DPoP: lantern', 'DPoP: ***'],
  // Addresses of webhooks
  ['https://hooks.slack.com/services/T0/B0/lantern', 'https://hooks.slack.com/services/***'],
  ['post to hooks.slack.com/services/T0/B0/lantern now', 'post to hooks.slack.com/services/*** now'],
  ['/api/hooks.slack.com/services/T0/B0/lantern', '/api/hooks.slack.com/services/***'],
  [
    'url=https%3A%2F%2Fhooks.slack.com%2Fservices%2FT0%2Flantern',
    'url=https%3A%2F%2Fhooks.slack.com%2Fservices%2F***',
  ],
  ['https://discord.com/api/webhooks/1/lantern', 'https://discord.com/api/webhooks/***'],
  ['https://api.telegram.org/bot1:lantern/sendMessage', 'https://api.telegram.org/bot***'],
  // A blank behind a flag, behind `Bearer`, and before what is no word of a sentence
  ['login --password hunter-lantern --name a', 'login --password ***'],
  ['Connect -Password lantern', 'Connect -Password ***'],
  ['--token "lantern" a', '--token "***" a'],
  ['sent Bearer lan.tern_tern to a', 'sent Bearer ***'],
  ['machine a login b password lantern', 'machine a login b password ***'],
  ['password\tlantern8 a', 'password\t***'],
  ['otp 123456lantern', 'otp ***'],
  // Lines below
  ['password: |-\n  lantern\n\n  lantern\na: b', 'password: |-\n  ***\na: b'],
  ['password: a\n  lantern\nb', 'password: ***\nb'],
  ['a:\n  passwords:\n    - lantern\n    - lantern\n  b: c', 'a:\n  passwords:\n    ***\n  b: c'],
  ['password:\n- lantern\n- lantern\nb: c', 'password:\n***\nb: c'],
  ['credentials:\n  user: lantern\n  key: lantern\nb: c', 'credentials:\n  ***\nb: c'],
  ['Password:\r\nlantern\r\nb', 'Password:\r\n***\r\nb'],
  ['Authorization: Bearer\n  lantern\nb: c', 'Authorization: ***\nb: c'],
  ['password =\\\n  lantern', 'password =\\\n  ***'],
  // Brackets
  ['{"secrets":["lantern", "lantern"],"a":"b"', '{"secrets":***'],
  ['{"secrets":["lantern", "lantern', '{"secrets":***'],
  ['{"password":{"v":"]}lantern","w":["lantern"]},"a":', '{"password":***'],
  ['{"password":{"v":[{"w":["lantern"],"x":"lantern"', '{"password":***'],
  ['tokens: [lantern,\n  lantern]\nb: c', 'tokens: ***\nb: c'],
  ['{"api_keys":["lantern"],"a":', '{"api_keys":***'],
  ['{"user":"a","pass":"lantern', '{"user":"a","pass":"***'],
  // XML and HTML
  ['<user><password>a lantern</password><a>b</a></user>', '<user><password***</password><a>b</a></user>'],
  ['<ns:Password type="x">\n  lantern\n</ns:Password>', '<ns:Password***</ns:Password>'],
  ['<token><![CDATA[lan</b>tern]]></token>a', '<token***</token>a'],
  ['<token type="x" value="lantern"/>a', '<token***'],
  ['<user password="lantern" name="a"/>', '<user password="***" name="a"/>'],
  ['<entry name="password" value="lantern"/>', '<entry name="password" value="***"/>'],
  ['<entry name="password">lantern</entry>', '<entry name="password">***'],
  ['<entry value="a" name="a"/><entry value="lantern" name="password"/>', '<entry value=***password"/>'],
  ['<user>a</user><pass>lantern</pass>', '<user>a</user><pass***</pass>'],
  ['<name>password</name><value>lantern</value>', '<name>password</name><value>***'],
  ['<token>lantern', '<token***'],
  ['<token>\nlantern', '<token***'],
  // A name and a value in two members
  ['- name: DB_PASSWORD\n  value: lantern\n- name: a', '- name: DB_PASSWORD\n  value: ***\n- name: a'],
  [
    '- value: a\n  name: a\n- value: lantern\n  name: DB_PASSWORD',
    '- value: a\n  name: a\n- value: ***DB_PASSWORD',
  ],
  ['{"name":"password","type":"a","value":"lantern', '{"name":"password","type":"a","value":"***'],
  ['{"value":"lantern","key":"token"', '{"value":***token"'],
  [
    '[{"op":"replace","path":"/session/password","value":"lantern"}',
    '[{"op":"replace","path":"/session/password","value":"***"}',
  ],
  // Parts of a form
  [
    '--b\r\nContent-Disposition: form-data; name="session[password]"\r\nContent-Type: text/plain\r\n\r\nlantern\n--lantern\r\n--b\r\nContent-Disposition: form-data; name="email"\r\n\r\na\r\n--b--',
    '--b\r\nContent-Disposition: form-data; name="session[password]"***',
  ],
  [
    '--b\nContent-Disposition: form-data; name="password"\n\nlantern',
    '--b\nContent-Disposition: form-data; name="password"***',
  ],
  // Escapes
  ['{"pass\\u0077ord":"lantern', '{"pass\\u0077ord":"***'],
  ['&quot;password&quot;:&quot;lantern&quot;,', '&quot;password&quot;:&quot;***&quot;,'],
  ['&lt;token&gt;lantern&lt;/token&gt;', '&lt;token***&lt;/token&gt;'],
  ['"password\\":\\"lantern\\"', '"password\\":\\"***\\"'],
  ['%70assword%3Dlantern', '%70assword%3D***'],
  ['x=\ud800%26password%3Dlantern', 'x=\ud800%26password%3D***'],
  ['{\\"password\\": \\"lan\\\\\\"tern\\"}"', '{\\"password\\": \\"***\\"}"'],
])('redacts the credential in %j', (text, shown) => {
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
])('redacts the value under %s', (name) => {
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
  [{ payload: '{"password":"lantern","a":1}' }, { payload: '{"password":"***","a":1}' }],
  [
    [JSON.stringify({ a: JSON.stringify({ token: 'lantern' }) })],
    [JSON.stringify({ a: JSON.stringify({ token: '***' }) })],
  ],
  [{ next: 'https://b/?api_key=lantern&a=1' }, { next: 'https://b/?api_key=***&a=1' }],
  [[{ key: 'password', value: 'lantern' }], [{ key: 'password', value: '***' }]],
  [[{ Uuid: 'password', Value: 'lantern' }], [{ Uuid: 'password', Value: '***' }]],
  [
    [{ op: 'replace', path: '/session/password', value: 'lantern' }],
    [{ op: 'replace', path: '/session/password', value: '***' }],
  ],
  [
    { pass: 'lantern', a: 1 },
    { pass: '***', a: 1 },
  ],
  [
    [
      ['X-API-KEY', 'lantern'],
      ['a', 'b'],
    ],
    [
      ['X-API-KEY', '***'],
      ['a', 'b'],
    ],
  ],
  [
    { tokens: ['lantern'], api_keys: 'lantern,lantern' },
    { tokens: '***', api_keys: '***' },
  ],
  [{ 'password=lantern': 1 }, { 'password=***': '***' }],
  [{ tokens: { first: 'lantern' } }, { tokens: '***' }],
  [{ api_keys: { deep: [{ first: 'lantern' }] } }, { api_keys: '***' }],
  [{ tokens: { input: 5, output: '7' } }, { tokens: { input: 5, output: '7' } }],
  [
    { key: 'API_KEY', val: 'lantern' },
    { key: 'API_KEY', val: '***' },
  ],
  [{ content: 'login(a)\npassword: lantern\n' }, { content: 'login(a)\npassword: ***\n' }],
])('redacts the credential in the value %j', (value, shown) => {
  expect(redactor.value(value)).toEqual(shown)
})

it.each([
  'the password must be 8 characters long',
  'the token is expired',
  'the password is too short, the token was not sent, and tokens are optional',
  'mkdir -p build/out && ssh -p 2222 a && docker run -p 8080:80 a && psql -p 5432',
  'use -p to set the port, find . -print, -pedantic',
  'records are identified, and sorted by name',
  'match \\1 and \\0',
  'token_type=bearer&passwordPolicy=strict',
  '{"token_type":"bearer","tokenUrl":"https://a.example/"',
  'keyboard: qwerty, max_tokens=5',
  'Bearer of news, Basic sales',
  'if token > 5 or token is None:',
  'the tests pass, pass = 3, pass=true',
  'No API key was sent; send it as api_key or in the header X-API-KEY.',
  'password: null, token = true',
  'total_tokens: 3, max_api_keys=5, primary_keys: [id]',
  '<case result="pass" value="3"/>',
  'if a:\n    pass\nelse:\n    b = 1',
  'mail mira@a.example, mailto:mira@a.example, image:tag@sha256:0a1b, ssh git@a.example:b',
  'value=3&name=retries, value: 3',
  'class Token<T> {}\n\nconst head = \'{"alg":"HS256","typ":"JWT"}\'\n\nfunction of(a) {}',
])('does not change a text without credentials: %s', (text) => {
  expect(redactor.text(text)).toBe(text)
  expect(redactor.value([text])).toEqual([text])
})

it.each([
  ['password = "a" \\\n  "lantern"', 'password = "***'],
  ["os.getenv('TOKEN', default='lantern')", "os.getenv('TOKEN', default='***')"],
  ['password：lantern', 'password：***'],
  ['ｐａｓｓｗｏｒｄ＝lantern', 'ｐａｓｓｗｏｒｄ＝***'],
  ['AccountKey=lantern', 'AccountKey=***'],
  [
    'a\n-----BEGIN PRIVATE KEY-----\nDEK-Info: A\nlantern\n-----END PRIVATE KEY-----',
    'a\n***-----END PRIVATE KEY-----',
  ],
  ['# ghp_16C7e42F292clantern', '# ***'],
])('redacts the credential in the text %j', (text, shown) => {
  expect(redactor.text(text)).toBe(shown)
})

it('recognizes every place of a credential by its name', () => {
  const places = [apiKeyLocations, tokenLocations].flatMap((locations) => Object.values(locations))

  expect(places.length).toBeGreaterThan(0)
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
    '/api//pipeline_schedules/1/pipeline_runs//***',
  ],
  [
    'encoded letters',
    '/api/pipeline%5Fschedules/1/pipeline%5Fruns/lantern',
    '/api/pipeline%5Fschedules/1/pipeline%5Fruns/***',
  ],
  [
    'encoded slashes',
    '/api/pipeline_schedules%2F1%2Fpipeline_runs%2Flantern',
    '/api/pipeline_schedules/1/pipeline_runs/***',
  ],
  [
    'a bad encoding',
    '/api/pipeline%5Fschedules/1/pipeline_runs/lantern%',
    '/api/pipeline%5Fschedules/1/pipeline_runs/***',
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

it('does not change values without credentials', () => {
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

/** A text that counts the characters which the scanner reads. */
class CountedText implements ScannedText {
  readonly #text: string
  reads = 0

  constructor(text: string) {
    this.#text = text
  }

  get length(): number {
    return this.#text.length
  }

  charCodeAt(index: number): number {
    this.reads++
    return this.#text.charCodeAt(index)
  }

  slice(start: number, end: number): string {
    const part = this.#text.slice(start, end)
    this.reads += part.length
    return part
  }

  indexOf(text: string, from: number): number {
    const found = this.#text.indexOf(text, from)
    this.reads += (found === -1 ? this.#text.length : found) - from
    return found
  }
}

/** Parts of names, joints and values that a scanner might read again and again, where many of them follow each other. */
const units = [
  'name=', 'a:', '://a', '"a": ', 'name="a"\r\n', '?a=', '[', '["', '{"a":', '\\"', 'password=', "a='",
  "a='\\'", '://@', '<token ', '<token a', 'token "', 'password\\"', '"password\r\na', '"password" {',
  'password: {a', 'password: [[', "password: '", 'cookie: a="', '<password><![CDATA[', 'Bearer ',
  ' --token ', 'token: |\n a\n', 'token: |\n ', 'token=a#', "token=a'", 'value=a&', 'value=a,', 'value=[',
  'api_keys=a,', '-u a:b ', 'value=a&name=password&', 'value="', 'pass="', '\npass=', 'tokens: [',
  'tokens:\n- ', 'curl -u ', 'curl -u a:', "curl -u '", 'a:b:', 'a:b@', '-u ', 'token,', '"token","',
  '"token",\'', 'token \n', "token=x 'a' ", 'token("', '<a:token>', 'content-disposition: name="password"\n',
  'token:\n  ', 'token |', 'token: (', 'value: password', 'token==', 'tokens: 1 ', '//', '@', ' ', '\n', 'a',
  '"', '-u=', '-u;', '-U"', '--user=', '--proxy-user="',
] // biome-ignore format: a list

it('reads each character of a text a bounded number of times', () => {
  const longest = units.map((unit) => {
    const length = 10_000
    const text = new CountedText(unit.repeat(length / unit.length))
    findNamedSecrets(text)
    return { unit, reads: text.reads / length }
  })

  expect(longest.filter(({ reads }) => reads > 30)).toEqual([])
})

it('reads each character a bounded number of times, in repetitions of any signs and names of its grammar', () => {
  const part = fc.constantFrom(
    ...vocabulary(),
    'token',
    'tokens',
    'value',
    'a',
    '1',
    '%',
    '&',
    ',',
    ';',
    '#',
    ' ',
  )
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const unit = parts.join('')
      const text = new CountedText(unit.repeat(Math.ceil(2_000 / unit.length)))
      findNamedSecrets(text)
      expect(text.reads / text.length).toBeLessThan(60)
    }),
    { numRuns: 600, seed: 1 },
  )
})

it('answers and records a request with a lone surrogate beside a credential', async () => {
  const understudy = createUnderstudy({ fixture: company })
  const pipeline = { name: 'a', type: 'python', description: 'x=\ud800%26password%3Dlantern' }
  await understudy.dispatch({ method: 'POST', url: '/api/pipelines', body: JSON.stringify({ pipeline }) })
  const missed = await understudy.dispatch({ method: 'GET', url: '/api/x=\ud800%26password%3Dlantern' })

  expect(missed).toMatchObject({ code: 404 })
  expect(understudy.journal.entries()).toMatchObject([
    { request: { body: { pipeline: { description: 'x=\ud800%26password%3D***' } } } },
    { path: '/api/x=\ud800%26password%3D***' },
  ])
  expect(await understudy.journal.har()).toHaveProperty('log.entries.length', 2)
})

it('accepts any text, also with lone surrogates', () => {
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
    { numRuns: 100 },
  )
})

const time = '2026-01-01 00:00:00.000000+00:00'

it.each<[string, (understudy: Understudy) => unknown]>([
  [
    'a record',
    ({ model }) => model.users.create({ id: 9, username: 'a', email: 'a', password: 31337 as never }),
  ],
  [
    'a key that is taken',
    ({ model }) => model.oauth_access_tokens.create({ token: 'mira-laptop', user_id: 1, expires: time }),
  ],
  ['a fixture', (understudy) => understudy.import({ users: [{ id: 1, password: 31337 }] } as never)],
])('redacts the invalid credential in the error about %s', async (_, refuse) => {
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

it('redacts the secrets of a fixture everywhere', async () => {
  const understudy = createUnderstudy({ fixture: company })
  const description =
    'northern-light opens it; lanterns, as "northern%2Dlight", mira-laptop and test-key too.'
  await understudy.dispatch({
    method: 'POST',
    url: '/api/pipelines?northern-light',
    headers: { 'x-note': 'night-token' },
    body: JSON.stringify({ pipeline: { name: 'a', type: 'python', description } }),
  })
  await understudy.dispatch({ method: 'GET', url: '/api/pipelines/northern-light' })
  const entries = understudy.journal.entries()

  expect(JSON.stringify(entries)).not.toMatch(/lantern|northern|night-token|mira-laptop|test-key/)
  expect(entries).toMatchObject([
    {
      request: {
        headers: { 'x-note': '***' },
        body: { pipeline: { description: '*** opens it; ***s, as "***", *** and *** too.' } },
      },
    },
    { path: '/api/pipelines/***', params: { uuid: '***' } },
  ])
})

it('redacts neither short words nor names of credentials', () => {
  const known = new Redactor(resources, () => ['admin', 'password', 'secret', 'my secret'])

  expect(known.text('admin@example.com reads the password of a secret')).toBe(
    'admin@example.com reads the password of a secret',
  )
  expect(known.text('/api/my+secret')).toBe('/api/***')
})
