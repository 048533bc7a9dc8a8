import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { controlCharacters } from '../../src/shared/printable.ts'
import { attack, differs } from './target.ts'

/** The built command. */
const command = join(process.cwd(), 'dist/cli/main.js')

/** Runs a shell line, in which `$COMMAND` is the command, in a folder of its own. */
function run<Outcome>(
  line: string,
  files: Readonly<Record<string, string>>,
  read: (result: { code: number; output: string }, folder: string) => Outcome,
): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-attack-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const options = { cwd: folder, env: { ...process.env, COMMAND: `${process.execPath} ${command}` } }
  return new Promise((resolve) => {
    const child = execFile('/bin/bash', ['-c', line], options, (_, stdout, stderr) => {
      const result = read({ code: child.exitCode ?? -1, output: stdout + stderr }, folder)
      rmSync(folder, { recursive: true })
      resolve(result)
    })
  })
}

/** Runs a shell line, in which `$SERVER` is the URL of a server that answers in this way. */
async function runAgainst(line: string, answer: RequestListener): Promise<{ code: number; output: string }> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const result = await run(line.replaceAll('$SERVER', `http://127.0.0.1:${port}`), {}, (found) => found)
  server.closeAllConnections()
  server.close()
  return result
}

/** Returns the lines that a CI reads as commands, and those with control characters. */
function hostileLines(output: string): string[] {
  return output
    .split('\n')
    .filter((text) => /^\s*::|##\w*\[/.test(text) || text.search(controlCharacters) >= 0)
}

let bomb: Buffer | undefined
/** Answers 500 MB in 500 KB. */
const sendBomb: RequestListener = (_, reply) => {
  // Compressing takes seconds.
  bomb ??= gzipSync(Buffer.alloc(500_000_000, '['))
  reply.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
}

const largePage = JSON.stringify({
  pipelines: [{ uuid: 'a', name: 'a', description: 'x'.repeat(30_000_000) }],
  metadata: { count: 1_000_000, next: true },
})
const sendLargePages: RequestListener = (_, reply) => {
  reply.writeHead(200, { 'content-type': 'application/json' }).end(largePage)
}

/** Sends a character each 200 ms. */
const sendDrops: RequestListener = (_, reply) => {
  reply.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => reply.write(' '), 200)
  reply.once('close', () => clearInterval(timer))
}

const largeList = JSON.stringify({
  pipelines: Array.from({ length: 20_000 }, (_, index) => ({
    uuid: `p${index}`,
    description: 'a text with some words, and more of them, of a pipeline in a list that is too long',
    tags: ['a', 'b'],
    token: `token-${index}`,
    variables: { a: 1 },
  })),
  metadata: { count: 20_000, next: false },
})
const sendLargeList: RequestListener = (_, reply) => {
  reply.writeHead(200, { 'content-type': 'application/json' }).end(largeList)
}
/** Records 15 requests, stops the proxy, and prints the duration and the contents of the file. */
const stopProxy = `
$COMMAND proxy $SERVER --port 0 --out a.har > log & proxy=$!
until grep -q 'Report so far' log; do sleep 0.1; done
url=$(sed -n 's/^Proxy at \\(\\S*\\) .*/\\1/p' log)
pids=()
for n in {1..15}; do curl -s -o /dev/null "$url/api/pipelines?n=$n" & pids+=($!); done
wait "\${pids[@]}"
start=$SECONDS; kill -INT $proxy; wait $proxy; code=$?
echo "stopped in $((SECONDS - start)) s"
tail -n 1 log
node -e "console.log(JSON.parse(require('fs').readFileSync('a.har')).log.entries.length, 'exchanges')"
exit $code`

/** Answers with the request. */
const repeatRequest: RequestListener = (request, reply) => {
  reply.setHeader('content-type', 'application/json')
  reply.end(JSON.stringify({ error: { code: 500, message: JSON.stringify(request.headers) } }))
}

/** A member name that clears the terminal, changes its color and stops the commands of a CI. */
const hostileName = '\u001b[2J\u009b31m\n::stop-commands::x\n##[error]y\n##vso[task.complete]z\u202e'
/** A recording of a reply with a CI command wherever the report may break its line. */
const hostileTraffic = JSON.stringify({
  log: {
    entries: [
      {
        startedDateTime: '2026-01-01T00:00:00.000Z',
        time: 1,
        request: { method: 'GET', url: 'http://a/api/pipelines', headers: [] },
        response: {
          status: 200,
          headers: [{ name: 'content-type', value: 'application/json' }],
          content: {
            text: JSON.stringify({
              pipelines: [{ uuid: 'a', type: '##vso[a]', name: '::error::x'.repeat(40) }],
              metadata: { '::add-mask::x': 1, count: '::stop-commands::x '.repeat(40) },
              error: { code: '\n::error::x\n'.repeat(40), message: '::error::x'.repeat(40) },
            }),
          },
        },
      },
    ],
  },
})
/** Requests with credentials in their URLs, bodies and headers. */
const secretRequests = [
  { url: '/api/pipelines?session[password]=attacked-1a&b=c;token=attacked-2b' },
  { url: '/api/pipelines?q={"api_key":"attacked-3c"}' },
  { url: '/api/pipelines/password%253Dattacked-4d' },
  { url: '/api/pipelines?q=access_token%253Dattacked-5e' },
  { url: '/api/pipelines', text: 'api_key=attacked-6f&password=attacked' },
  { url: '/api/pipelines', text: '{"pipeline":{"name":"a","password":"attacked-7a"}}' },
  { url: '/api/pipelines', text: 'export DB_PASSWORD="attacked-8b"' },
  {
    url: '/api/pipelines',
    text: '--x\r\ncontent-disposition: form-data; name="password"\r\n\r\nattacked-9c\r\n',
  },
  { url: '/api/pipelines', headers: [{ name: 'X-API-KEY', value: 'attacked-0d' }], text: 'see attacked-0d' },
  { url: `/api/pipelines?q=${'eyJ'.repeat(20_000)}`, text: 'eyJ'.repeat(300_000) },
]
const secretTraffic = JSON.stringify({
  log: {
    entries: secretRequests.map(({ url, text, headers = [] }) => ({
      startedDateTime: '2026-01-01T00:00:00.000Z',
      time: 1,
      request: {
        method: text === undefined ? 'GET' : 'POST',
        url: `http://a${url}`,
        headers,
        ...(text !== undefined && { postData: { mimeType: 'text/plain', text } }),
      },
      response: {
        status: 200,
        headers: [{ name: 'content-type', value: 'application/json' }],
        content: { text: JSON.stringify({ pipelines: [{ uuid: 7, name: url }], pipeline: text }) },
      },
    })),
  },
})
const hostileRecord = JSON.stringify({ [hostileName]: [], pipelines: [{ [hostileName]: 1 }] })

/** Puts a pipe in the place of each file that a command reads, and prints how the command ends. */
const readPipes = `
mkfifo a.json a.har package.json
for words in 'init --no-install' 'doctor' 'fixture check a.json' 'serve --port 0 --fixture a.json' 'scenario check a.json' \
  'serve --port 0 --fault a.json' 'verify a.har' 'verify http://127.0.0.1:1 --baseline a.json' 'import a.har --out b.json'
do timeout 60 $COMMAND $words; echo "code $?"; done`

/** Removes the lock of a state, changes the state, and prints whether the file has the change. */
const removeLock = `
$COMMAND serve --port 0 --fixture empty --state state.json > log & server=$!
until grep -q 'listens on' log; do sleep 0.1; done
url=$(grep -o 'http://[0-9.:]*' log | head -n 1)
until [ -e state.json ]; do sleep 0.1; done
rm -r state.json.lock; sleep 2
curl -s -o /dev/null -H 'Content-Type: application/json' -d '{"pipeline":{"name":"late","type":"python"}}' "$url/api/pipelines"
sleep 3; grep -c '"uuid":"late"' state.json; kill $server; wait $server; echo "code $?"`

/** Attacks on the command by the files that it reads and the disk that it writes to. */
export const commandAttacks = [
  ...['fixture check', 'serve --port 0 --fixture', 'serve --port 0 --fault', 'scenario check'].map(
    (words, index) =>
      attack({
        isCostly: index > 0,
        name: `commands: control characters and CI commands in the file of ${words}`,
        send: () =>
          run(`$COMMAND ${words} hostile.json`, { 'hostile.json': hostileRecord }, ({ code, output }) => [
            code,
            output.length > 20,
            hostileLines(output),
          ]),
        problemOf: (found) => differs('exit code, whether it printed, hostile lines', [1, true, []], found),
      }),
  ),
  ...['', '--verbose --client', '--json'].map((flags) =>
    attack({
      isCostly: flags === '--json',
      name: `commands: CI commands in recorded traffic, at each break of a line${flags && `, with ${flags}`}`,
      send: () =>
        run(`$COMMAND verify traffic.har ${flags}`, { 'traffic.har': hostileTraffic }, ({ code, output }) => [
          code,
          output.length > 500,
          hostileLines(output),
        ]),
      problemOf: (found) => differs('exit code, whether it printed, hostile lines', [1, true, []], found),
    }),
  ),
  attack({
    name: 'commands: credentials in recorded requests, in every spelling, and long words that begin like a web token',
    send: () =>
      run(
        'timeout 60 $COMMAND verify traffic.har --verbose --client --report junit=a.xml,html=a.html,sarif=a.sarif,' +
          'github=a.txt,gitlab=a.json,markdown=a.md --reproductions scripts; echo "code $?"; cat a.* scripts/*',
        { 'traffic.har': secretTraffic },
        ({ output }) => [
          /^code (\d+)$/m.exec(output)?.[1],
          output.split('***').length > 10,
          output.match(/.{0,30}attacked.{0,10}/g),
        ],
      ),
    problemOf: (found) =>
      differs('exit code, whether it hid something, credentials', ['1', true, null], found),
  }),
  attack({
    isCostly: true,
    name: 'commands: a state whose lock another program removes',
    send: () => run(removeLock, {}, ({ output }) => output),
    problemOf: (output) => differs('the saved change and the exit code', '1\ncode 0\n', output),
  }),
  attack({
    isCostly: true,
    name: 'commands: a pipe without a writer in place of each file',
    send: () => run(readPipes, {}, ({ output }) => output),
    problemOf: (output) =>
      differs(
        'exit codes, commands that name the reason',
        ['1 1 1 1 1 1 2 2 1', 9],
        [
          Array.from(output.matchAll(/^code (\d+)$/gm), ([, code]) => code).join(' '),
          output.split('it is a pipe, a socket or a device, not a regular file').length - 1,
        ],
      ),
  }),
  attack({
    name: 'commands: 15 replies of 4 MB, recorded by proxy, which is stopped at once',
    isLong: true,
    send: () => runAgainst(stopProxy, sendLargeList),
    problemOf: ({ code, output }) => {
      const seconds = Number(/stopped in (\d+) s/.exec(output)?.[1])
      const isComplete = code === 0 && output.includes('15 exchanges')
      // On a slow machine, it hides the bodies that it has not redacted yet.
      const isBounded = seconds < 10 || (output.includes('It hides') && seconds < 120)
      return isComplete && isBounded ? undefined : `exit code ${code}: ${output.slice(-300)}`
    },
  }),
  attack({
    name: 'commands: replies of 30 MB without end, to import',
    isLong: true,
    send: () => runAgainst('$COMMAND import $SERVER --out a.json', sendLargePages),
    problemOf: ({ code, output }) =>
      code === 1 && output.includes('sent more than 256 MB')
        ? undefined
        : `exit code ${code}: ${output.slice(-300)}`,
  }),
  ...[
    ['import $SERVER --out a.json', 30],
    ['doctor $SERVER', 30],
    ['verify $SERVER --timeout 2000', 2],
  ].map(([words, most]) =>
    attack({
      name: `commands: a reply that comes drop by drop, to ${words}`,
      isLong: true,
      send: () => runAgainst(`$COMMAND ${words}; code=$?; echo "after $SECONDS s"; exit $code`, sendDrops),
      problemOf: ({ code, output }) => {
        const seconds = Number(/after (\d+) s/.exec(output)?.[1])
        return code > 0 && seconds < Number(most) + 30
          ? undefined
          : `exit code ${code}: ${output.slice(-300)}`
      },
    }),
  ),
  ...['import $SERVER --out a.json', 'doctor $SERVER', 'verify $SERVER --read-only'].map((words) =>
    attack({
      name: `commands: a reply that decompresses to 500 MB, to ${words}`,
      isCostly: true,
      send: () => runAgainst(`timeout -s KILL 60 $COMMAND ${words}`, sendBomb),
      problemOf: ({ code, output }) =>
        differs('whether it ended by itself, with words', [true, true], [code < 100, output.length > 20]),
    }),
  ),
  ...[
    'import $SERVER --api-key attacked-key --token attacked-token --out a.json',
    'verify $SERVER --api-key attacked-key --token attacked-token --read-only',
    'doctor http://mira:attacked-word@127.0.0.1:9',
    'import http://mira:attacked-word@127.0.0.1:9 --out a.json',
    'import http://127.0.0.1:9/?api_key=attacked-key --out a.json',
    'doctor --json http://mira:attacked-word@127.0.0.1:9',
  ].map((words) =>
    attack({
      isCostly: words.startsWith('import') || words.includes('--json'),
      name: `commands: credentials that a reply or a message repeats, of ${words}`,
      send: () => runAgainst(`$COMMAND ${words}`, repeatRequest),
      problemOf: ({ output }) =>
        differs(
          'whether it printed, and what',
          [true, null],
          [output.length > 20, /attacked-\w+/.exec(output)],
        ),
    }),
  ),
  ...['openapi', 'fixture generate'].map((words, index) =>
    attack({
      isCostly: index > 0,
      name: `commands: a disk with room for 8 KB behind ${words}`,
      send: () => run(`ulimit -f 8; $COMMAND ${words} > out.json`, {}, ({ code, output }) => [code, output]),
      problemOf: (found) =>
        differs(
          'exit code and message',
          [1, 'Cannot write to standard output: the file is too large.\n'],
          found,
        ),
    }),
  ),
  ...['openapi', 'fixture generate', '--help'].map((words, index) =>
    attack({
      isCostly: index > 0,
      name: `commands: a full disk behind ${words}`,
      send: () => run(`$COMMAND ${words} > /dev/full`, {}, ({ code, output }) => [code, output]),
      problemOf: (found) =>
        differs('exit code and message', [1, 'Cannot write to standard output: the disk is full.\n'], found),
    }),
  ),
]
