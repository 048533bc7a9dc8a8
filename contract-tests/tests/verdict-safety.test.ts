import { exec } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { createApp } from '../../src/server/create-app.ts'
import { firstOf, thoroughly, wholly } from '../../tests/support/depth.ts'
import { reportNames } from '../reports/report-names.ts'
import { rules } from '../rules/index.ts'
import { createTarget, expressTarget } from '../targets/built-in.ts'
import { it as itInParts } from './it.ts'
import { runBuiltVerify, runVerify } from './run-verify.ts'

const it = wholly(itInParts)
const itThoroughly = thoroughly(itInParts)

/** A target that fails after some correct replies. */
function failingAfter(requests: number, fail: (response: ServerResponse) => void): RequestListener {
  const app = createApp(createTarget())
  let count = 0
  return (request, response) => {
    const answer = () => app(request, response)
    if (++count <= requests) answer()
    else fail(response)
  }
}

const megabyte = Buffer.alloc(1 << 20, 'x')
const megabytes = Array.from({ length: 120 }, () => megabyte)
// Several members are unpacked as one text.
const packed = gzipSync(megabyte)
const bomb = Buffer.concat(megabytes.map(() => packed))

const reset = (response: ServerResponse): void => void response.destroy()
const sendMuch = (response: ServerResponse): void => void Readable.from(megabytes).pipe(response)

itInParts.concurrent.for(
  firstOf(1, [
    ['hangs', 5, () => {}, /no answer within 1000 ms/],
    ['resets connections later', 120, reset, /the connection was dropped/],
    ['sends a bomb', 5, sendBomb, /sent more than 256 MB .* the reply is larger than 32 MB/],
    ['hangs later', 60, () => {}, /no answer within 1000 ms/],
    ['drips', 5, drip, /no answer within 1000 ms/],
    ['resets connections', 5, reset, /the connection was dropped/],
    ['sends 120 MB', 5, sendMuch, /sent more than 256 MB .* the reply is larger than 32 MB/],
  ] as const),
)(
  'exits with 2 and the reason if the target %s after the preflight requests',
  async ([_, after, fail, why], { listen }) => {
    const url = await listen(failingAfter(after, fail))
    // Reading much takes its time, and a busy machine its time for anything.
    const timeout = why.source.includes('1000 ms') ? '1000' : '60000'
    const sequences = why.source.includes('larger') ? ['--sequences', '0'] : []
    const { code, out } = await runVerify([url, '--use-conventions', '--timeout', timeout, ...sequences])

    expect(out.replaceAll('\n', ' ')).toMatch(why)
    expect(out).toMatch(new RegExp(`^INCOMPLETE: .*\\n${rules.length} rules: `, 'm'))
    expect(code).toBe(2)
  },
)

function drip(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 50)
  response.on('close', () => clearInterval(timer))
}

function sendBomb(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
}

it.concurrent('exits with 2 before the first request if it cannot write the cleanup log', async ({
  folder,
  listen,
}) => {
  const file = join(await folder(), 'file')
  await writeFile(file, '')
  let requests = 0
  const url = await listen((_, response) => {
    requests++
    response.end()
  })
  const { code, err } = await runVerify([url], { temporary: file })

  expect(err).toMatch(/Expected .* to be a private folder .* found that it cannot be written \(ENOTDIR\)/)
  if (process.platform !== 'linux') return
  // Folders cannot be created in /proc.
  const inProc = await runVerify([url], { temporary: '/proc' })
  expect([inProc.code, inProc.err]).toEqual([2, expect.stringContaining('cannot be written (ENOENT)')])
  expect([code, requests]).toEqual([2, 0])
})

itThoroughly.concurrent('ignores an invalid package.json in its folder', async ({ folder, listen }) => {
  const cwd = await folder()
  await writeFile(join(cwd, 'package.json'), '{ "name": ')
  const url = await listen(expressTarget())
  const { code, out } = await runBuiltVerify([url, '--use-conventions', '--only', 'pipeline-fields/*'], {
    cwd,
  })

  expect(out).toMatch(/ [1-9]\d* passed, 0 failed/)
  expect(code).toBe(0)
})

it.concurrent.for([
  ['a folder', (path: string) => path],
  ['a file in no folder', (path: string) => join(path, 'nowhere', 'report.json')],
] as const)('rejects %s as a report before the first request', async ([_, place], { folder, listen }) => {
  let requests = 0
  const url = await listen((__, response) => {
    requests++
    response.end()
  })
  const { code, err } = await runVerify([url, '--report', `json=${place(await folder())}`])

  expect(err).toContain('Cannot write the report json to ')
  expect([code, requests]).toEqual([2, 0])
})

it.concurrent('writes the other reports and shows the verdict if one report fails', async ({
  folder,
  listen,
}) => {
  const path = await folder()
  const app = expressTarget()
  const url = await listen((request, response) => {
    // During verification a folder replaces the file.
    if (request.method === 'POST') void mkdir(join(path, 'report.json')).catch(() => {})
    app(request, response)
  })
  const reports = `json=${join(path, 'report.json')},junit=${join(path, 'report.xml')}`
  const { code, out } = await runVerify([
    url,
    '--use-conventions',
    '--only',
    'pipeline-fields/*',
    '--report',
    reports,
  ])

  expect(out.replaceAll('\n', ' ')).toMatch(/Cannot write .*report\.json: it is a folder.* [1-9]\d* passed/)
  expect(await readFile(join(path, 'report.xml'), 'utf8')).toContain('</testsuites>')
  expect(code).toBe(2)
})

itThoroughly.concurrent('exits with the same status when its reader ends', async ({ listen }) => {
  const url = await listen(app404)
  const main = join(import.meta.dirname, '../../dist/cli/main.js')
  const script = `node ${main} verify ${url} --use-conventions --only 'read-*' --verbose | head -n 1 > /dev/null; echo "\${PIPESTATUS[0]}"`
  const { stdout } = await promisify(exec)(script, { shell: '/bin/bash' })

  expect(stdout).toBe('1\n')
})
const target404 = expressTarget()
const app404: RequestListener = (request, response) => {
  const { writeHead } = response
  response.writeHead = ((status: number, ...rest: never[]) =>
    writeHead.call(response, request.url?.includes('no_such') ? 404 : status, ...rest)) as never
  target404(request, response)
}

/** Nothing listens there. */
const nowhere = 'http://keeper:s3cret-pass@127.0.0.1:9'

it.concurrent.for([
  ['nothing listens', [nowhere], 'nothing listens there'],
  ['a variable of the job is not set', [nowhere, '--api-key', ''], '--api-key is empty'],
  ['no rule is selected', [nowhere, '--only', 'no-such-*'], 'Rule ids look like create-backfill/values'],
  [
    'a certificate is missing',
    [nowhere, '--ca', 'no-such.pem'],
    'Cannot read no-such.pem for --ca: the file does not exist',
  ],
] as const)('gives the reason in every report if %s', async ([_, flags, why], { folder }) => {
  const path = await folder()
  await Promise.all(reportNames.map((name) => writeFile(join(path, name), 'of the last run')))
  const reports = reportNames.flatMap((name) => ['--report', `${name}=${join(path, name)}`])
  const { code, out } = await runVerify([...flags, ...reports, '--json'])
  const texts = await Promise.all(reportNames.map((name) => readFile(join(path, name), 'utf8')))
  const [junit, json, , sarif, , gitlab] = texts

  for (const text of texts) expect(text).toContain(why)
  for (const text of texts) expect(text).not.toMatch(/s3cret-pass|keeper|of the last run/)
  expect(junit!.match(/<error message="/g)).toHaveLength(1)
  expect(junit).not.toContain('<failure')
  expect(JSON.parse(json!)).toMatchObject({
    verdict: 'incomplete',
    incomplete: [expect.stringContaining(why)],
    totals: { passed: 0, failed: 0 },
  })
  const text = expect.stringContaining(why)
  expect(JSON.parse(sarif!).runs[0].invocations).toEqual([
    { executionSuccessful: false, toolExecutionNotifications: [{ level: 'error', message: { text } }] },
  ])
  expect(JSON.parse(gitlab!)).toMatchObject([
    { check_name: 'totals' },
    { check_name: 'not-checked', severity: 'blocker' },
  ])
  expect([code, out]).toEqual([2, json])
})

it.concurrent('prints neither the user of the URL nor control sequences of a reply', async ({
  folder,
  listen,
}) => {
  const path = await folder()
  const nasty = '::error::gotcha \u001b[2J\u009b31m ##[error]x \ufffe\uffff \u202e'
  const app = createApp(createTarget())
  const users = new Set<string | undefined>()
  const url = await listen((request, response) => {
    users.add(request.headers.authorization)
    if (!request.url?.endsWith('/blocks')) return app(request, response)
    request.resume()
    response.setHeader('content-type', 'text/plain').end(`\n${nasty}`)
  })
  const withUser = url.replace('//', '//keeper:s3cret-pass@')
  const reports = reportNames.flatMap((name) => ['--report', `${name}=${join(path, name)}`])
  const { out, code } = await runVerify(
    [withUser, '--use-conventions', '--only', 'create-block/*', ...reports],
    {
      env: { GITHUB_ACTIONS: 'true' },
    },
  )
  const texts = await Promise.all(reportNames.map((name) => readFile(join(path, name), 'utf8')))

  expect(code).toBe(1)
  expect([...users]).toEqual([`Basic ${Buffer.from('keeper:s3cret-pass').toString('base64')}`])
  for (const text of [out, ...texts]) {
    expect(text).not.toMatch(/s3cret-pass|keeper:/)
    expect(text).not.toMatch(/[\u001b\u009b\ufffe\uffff\u202e]/)
  }
  expect(out).not.toMatch(/^\s*::error::gotcha/m)
  expect(out).not.toContain('##[error]')
  expect(texts.join('\n')).toContain('UNDERSTUDY_USERINFO')
})

it.concurrent.for([
  [['--minutes', 'soon'], /Expected minutes, such as 10 or 0\.5/],
  [['--strict', 'everything'], /Expected examples, inferred, or both/],
  [['--no-such-flag'], /unknown option '--no-such-flag'/],
] as const)('exits with 2 for %j', async ([flags, message]) => {
  const { code, err } = await runVerify(['http://127.0.0.1:9', ...flags])

  expect(err).toMatch(message)
  expect(code).toBe(2)
})

it.concurrent('exits with 2 if it cannot write its report', async ({ listen }) => {
  const url = await listen(expressTarget())
  const main = join(import.meta.dirname, '../../dist/cli/main.js')
  const script = `node ${main} verify ${url} --use-conventions --only 'pipeline-fields/*' > /dev/full; echo "$?"`
  const { stdout, stderr } = await promisify(exec)(script, { shell: '/bin/bash' })

  expect(stderr).toContain('Cannot write to standard output: the disk is full.')
  expect(stdout).toBe('2\n')
})
