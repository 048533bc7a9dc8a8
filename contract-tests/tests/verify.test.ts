import { readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AuthMode } from '../../src/index.ts'
import { createApp } from '../../src/server/create-app.ts'
import { firstOf, thoroughly, wholly } from '../../tests/support/depth.ts'
import { faultyServers } from '../mutants/catalogue.ts'
import { toFaultyVariant } from '../mutants/faulty-variants.ts'
import { terminalReport } from '../reports/index.ts'
import { reportNames } from '../reports/report-names.ts'
import { rules } from '../rules/index.ts'
import { builtIn, createTarget, expressTarget } from '../targets/built-in.ts'
import { verify as verifyTarget } from '../verify/verify.ts'
import { it as itInParts } from './it.ts'
import { everything, runBuiltVerify, runVerify } from './run-verify.ts'

const it = wholly(itInParts)
const itThoroughly = thoroughly(itInParts)

const verify = (...flags: string[]) => runVerify(flags)

/** A mock with the defect of this name. */
function mutantOf(name: string, auth: AuthMode): RequestListener {
  const mutant = faultyServers.find((server) => server.name === name)
  if (mutant === undefined) throw new Error(`There is no mutant ${name}.`)
  return createApp(createTarget({ auth, faultyVariant: toFaultyVariant(mutant) }))
}

itThoroughly.concurrent('exits with 0 if every rule passes', async ({ listen }) => {
  const url = await listen(expressTarget('login'))
  const { code, out } = await runBuiltVerify([url, ...everything])

  expect(out).toContain(`${rules.length} rules: ${rules.length} passed, 0 failed.`)
  expect(out).toMatch(/^PASSED: /)
  const lastLines = `requests in [\\d.]+ s to http:.*\\nPASSED: .*\\n${rules.length} rules: .*\\n$`
  expect(out).toMatch(new RegExp(lastLines))
  expect(code).toBe(0)
})

it.concurrent('reads key and user from the environment', async ({ listen }) => {
  const url = await listen(expressTarget('login'))
  const env = {
    UNDERSTUDY_API_KEY: 'contract-key',
    UNDERSTUDY_EMAIL: 'judge@example.com',
    UNDERSTUDY_PASSWORD: 'gavel-and-robe',
  }
  const flags = [url, '--only', 'pipeline-read/*', '--sequences', '0']

  expect((await runBuiltVerify(flags, { env })).code).toBe(0)
  const refused = await runBuiltVerify(flags, { env: { ...env, UNDERSTUDY_API_KEY: 'other-key' } })
  expect(refused.code).not.toBe(0)
  expect(refused.out + refused.err).not.toContain('gavel-and-robe')
})

it.concurrent('accepts the old name of --sequences', async ({ listen }) => {
  const url = await listen(expressTarget())
  const countRequests = async (flag: string) => {
    const { code, out } = await runVerify([url, flag, '0', '--only', 'pipeline-read/*', '--json'])
    expect(code).toBe(0)
    return JSON.parse(out).requests
  }

  expect(await countRequests('--stories')).toBe(await countRequests('--sequences'))
})

it.concurrent('exits with 1, shows the evidence and writes every report without secrets if a rule fails', async ({
  folder,
  listen,
}) => {
  const path = await folder()
  const reports = reportNames.flatMap((name) => ['--report', `${name}=${join(path, name)}`])
  const url = await listen(mutantOf('no-executors', 'login'))
  const { code, out } = await verify(
    url,
    ...everything,
    ...reports,
    '--sequences',
    '0',
    '--only',
    'create-pipeline/*',
  )
  const texts = await Promise.all(reportNames.map((name) => readFile(join(path, name), 'utf8')))
  const [junit, json, html, sarif, github, gitlab, markdown] = texts

  expect(code).toBe(1)
  expect(out).toMatch(/^FAILED: 1 finding\n/)
  expect(out).toContain(
    '1. Create pipeline: executor_count is 0 instead of 1\n   rule      create-pipeline/values\n',
  )
  expect(out).toMatch(/^ {3}curl -s .*"\$UNDERSTUDY_\w+"/m)
  expect(junit).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites .*<failure message="/s)
  expect(JSON.parse(json!).totals.failed).toBe(1)
  expect(html).toMatch(/^<!doctype html>.*<code>create-pipeline\/values<\/code>/s)
  expect(html).not.toMatch(/<(link|img)/)
  const { runs, version } = JSON.parse(sarif!)
  expect(version).toBe('2.1.0')
  expect(runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(
    'docs/spec/pipeline-orchestration-api.md',
  )
  expect(github).toMatch(/^::error file=docs\/spec\/pipeline-orchestration-api.md,line=\d+,title=[^:]+::/m)
  expect(JSON.parse(gitlab!)).toContainEqual({
    description: expect.stringMatching(/^.+ Expected: .+ Received: .+ \(HTTP 200\)$/),
    check_name: 'create-pipeline/values',
    fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
    severity: 'major',
    location: { path: 'docs/spec/pipeline-orchestration-api.md', lines: { begin: expect.any(Number) } },
  })
  expect(markdown).toMatch(/^# Contract verification\n\n❌ \*\*FAILED: 1 finding\*\* on /)
  expect(markdown).toContain('`create-pipeline/values`')
  const secrets = ['contract-key', 'gavel-and-robe', 'other-active-token', 'judge-active-token', 'eyJ']
  for (const text of [...texts, out]) for (const secret of secrets) expect(text).not.toContain(secret)
})

const strictness = [
  ['passes', [], 0],
  ['fails', ['--strict', 'examples,inferred'], 1],
  ['fails', ['--strict', 'examples'], 1],
  ['passes', ['--strict', 'inferred'], 0],
] as const

itInParts.concurrent.for(firstOf(2, strictness))(
  '%s for a server that deviates from an example, with %j',
  async ([_, flags, expected], { listen }) => {
    const url = await listen(mutantOf('run-with-variables', 'open'))
    const { code, out } = await verify(
      url,
      '--use-conventions',
      '--no-shrink',
      '--sequences=0',
      '--only',
      'trigger/*',
      ...flags,
    )

    expect(out).toMatch(
      expected === 0
        ? /does not fail the run\):\n {2}Trigger pipeline: variables is \{"partition":1\} .*\(example\)/s
        : /^FAILED: 1 finding\n.*rule {6}trigger\/variables\n/s,
    )
    expect(code).toBe(expected)
  },
)

const json = (text: string): RequestListener => {
  return (_, response) => void response.setHeader('content-type', 'application/json').end(text)
}
const html: RequestListener = (_, response) => void response.setHeader('content-type', 'text/html').end('<p>')

it.concurrent.for([
  ['nothing listens', 'http://127.0.0.1:9', /nothing listens there/],
  ['the server hangs', () => {}, /no answer within 500 ms/],
  ['the server answers HTML', html, /answers HTML with HTTP 200; this API answers JSON/],
  ['the server is another API', json('{"hello":1}'), /this is another API/],
  [
    'the connection is dropped',
    (request: IncomingMessage) => void request.socket.resetAndDestroy(),
    /the connection was dropped/,
  ],
  ['the key is missing', expressTarget('key'), /refuses the list of pipelines: .*Pass --api-key, and/],
  [
    'the path is wrong',
    (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Not Found"}'),
    /HTTP 404\. Nothing is at \/api\/pipelines below the given URL: check its path\.\n$/,
  ],
] as const)('exits with 2 and the reason if %s', async ([what, target, message], { listen }) => {
  const url = typeof target === 'string' ? target : await listen(target)
  // A busy machine takes its time for an answer.
  const { code, out, err } = await verify(url, '--timeout', what === 'the server hangs' ? '500' : '20000')

  expect(err).toMatch(message)
  expect(err).not.toMatch(/^\s+at /m)
  expect(out).toBe('')
  expect(code).toBe(2)
})

it.concurrent.for(['open', 'key', 'login'] as const)(
  'exits with 2 and creates nothing if the password is wrong, with auth %s',
  async (auth, { listen }) => {
    const understudy = createTarget({ auth })
    const url = await listen(createApp(understudy))
    const user = ['--email', 'judge@example.com', '--password', 'gavel-and-rope']
    const { code, out, err } = await verify(url, '--api-key', 'contract-key', ...user)

    expect(err).toMatch(/Signing in as judge@example.com failed: .*\. Check --email and --password\.\n$/)
    expect([code, out]).toEqual([2, ''])
    expect(understudy.model.pipelines.count()).toBe(1)
  },
)

it.concurrent('accepts the deviations of a baseline, and no other deviation of their rules', async ({
  folder,
  listen,
}) => {
  const baseline = join(await folder(), 'known.json')
  const assumptions = { 'run-values': 'initial first' } as const
  const second = faultyServers.find(({ name }) => name === 'run-without-event-variables')!
  const known = createTarget({ auth: 'login', assumptions })
  const worse = createTarget({ auth: 'login', assumptions, faultyVariant: toFaultyVariant(second) })
  const check = async (understudy: typeof known, updateBaseline = false) =>
    verifyTarget({
      ...builtIn,
      target: await listen(createApp(understudy)),
      only: ['trigger-pipeline/values'],
      scenarios: ['trigger'],
      shrink: false,
      confirm: false,
      baseline,
      updateBaseline,
    })

  expect((await check(known, true)).exitCode).toBe(1)
  await expect(check(known)).rejects.toThrow('gives no reason for a deviation: Trigger pipeline, status')
  await writeFile(
    baseline,
    (await readFile(baseline, 'utf8')).replaceAll('"reason": ""', '"reason": "Always so."'),
  )
  expect((await check(known)).exitCode).toBe(0)
  const { report, exitCode } = await check(worse)
  expect(exitCode).toBe(1)
  expect(terminalReport(report)).toMatch(
    /^FAILED: 1 finding\n(.*\n)*1\. Trigger pipeline: event_variables is /,
  )
})

it.concurrent.for([
  [
    'an unknown report',
    ['--report', 'pdf=out.pdf'],
    /There is no report "pdf"; there are junit, json, html, sarif, github, gitlab, markdown/,
  ],
  ['a glob that no rule matches', ['--only', 'nothing-*'], /No rule matches "nothing-\*"/],
  ['an unknown need', ['--need', 'luck=much'], /Unknown --need luck/],
  ['no URL', [], /Expected a base URL such as/],
  ['an email alone', ['--email', 'judge@example.com'], /--email requires --password/],
  ['a password alone', ['--password', 'gavel-and-robe'], /--password requires --email/],
  [
    'a baseline that is not there',
    ['--baseline', 'no-such.json'],
    /Cannot read the baseline no-such\.json: the file does not exist/,
  ],
  ['a folder as baseline', ['--baseline', 'docs'], /Cannot read the baseline docs: it is a folder/],
  ['a key that is empty', ['--api-key', ''], /--api-key is empty/],
] as const)('exits with 2 before the first request for %s', async ([what, flags, message], { listen }) => {
  let requests = 0
  const url = await listen((_, response) => {
    requests++
    response.end()
  })
  const { code, err } = await verify(...(what === 'no URL' ? [] : [url]), ...flags)

  expect(err).toMatch(message)
  expect([code, requests]).toEqual([2, 0])
})

it.concurrent('reports a server that answers HTTPS with plain HTTP', async ({ listen }) => {
  const url = await listen(expressTarget('open'))
  const { code, err } = await verify(url.replace('http:', 'https:'))

  expect(err).toMatch(/it does not speak HTTPS there; try http:\/\/ in the URL\.\n$/)
  expect(code).toBe(2)
})

it.concurrent('prints its plan and sends no request', async ({ listen }) => {
  let requests = 0
  const url = await listen((_, response) => {
    requests++
    response.end()
  })
  const { code, out } = await verify(url, '--plan')

  expect(out).toContain('Leaves behind: its pipelines, which no documented endpoint deletes; runs')
  expect([code, requests]).toEqual([0, 0])
})

it.concurrent('writes nothing with --read-only', async ({ listen }) => {
  const methods = new Set<string>()
  const app = expressTarget('open')
  const url = await listen((request, response) => {
    methods.add(request.method!)
    app(request, response)
  })
  const { code } = await verify(url, '--read-only', '--use-conventions')

  expect(code).toBe(0)
  expect([...methods]).toEqual(['GET'])
})

it.concurrent('lists the pipelines that it cannot delete without --use-conventions', async ({ listen }) => {
  const understudy = createTarget()
  const before = understudy.model.pipelines.count()
  const url = await listen(createApp(understudy))
  const { out } = await verify(url, '--only', 'backfill-states/unknown-status', '--allow-destructive')
  const left = understudy.model.pipelines.findMany((q) =>
    q.where({ uuid: (uuid) => /^verifyrun\w+_/.test(uuid) }),
  )

  expect(left.length).toBe(understudy.model.pipelines.count() - before)
  expect(left.length).toBeGreaterThan(0)
  const [, count, example] =
    /Left on the target:\n {2}(\d+) pipelines, such as \/api\/pipelines\/(\w+)\n/.exec(out) ?? []

  expect(Number(count)).toBe(left.length)
  expect(left.map(({ uuid }) => uuid)).toContain(example)
  expect(understudy.model.backfills.count()).toBe(0)
})
