import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createApp } from '../../src/server/create-app.ts'
import type { Reply } from '../broken/define-broken.ts'
import { breakServer } from '../broken/define-broken.ts'
import type { Exchange } from '../judge/client.ts'
import { judge } from '../judge/judge.ts'
import type { Entry } from '../judge/ledger.ts'
import type { Judgement } from '../judge/options.ts'
import { curlLine, Secrets } from '../judge/redact.ts'
import { Verdicts } from '../judge/verdicts.ts'
import { rules } from '../rules/index.ts'
import { builtIn, createTarget, toListener } from '../targets/built-in.ts'
import { brokenRules, judgeBroken } from './judge-broken.ts'
import { listen } from './listen.ts'
import { otherwiseServers } from './otherwise-servers.ts'

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'understudy-hostile-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

async function writeLedger(file: string, ...entries: Entry[]): Promise<string> {
  await writeFile(file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  return file
}

/** Runs the built command with a folder of its own for ledgers. */
function verify(temporary: string, ...flags: string[]): Promise<string> {
  const command = join(import.meta.dirname, '../../dist/cli/main.js')
  return new Promise((resolve) => {
    execFile(
      'node',
      [command, 'verify', ...flags],
      { env: { ...process.env, TMPDIR: temporary } },
      (_, out, err) => resolve(out + err),
    )
  })
}

const ledgerOf = (path: string, url: string, suite: string) =>
  join(path, `understudy-ledger-${createHash('sha256').update(url).digest('hex').slice(0, 12)}.${suite}`)

it('leaves the records of another database alone, whose numbers an old ledger names', async () => {
  const path = await folder()
  const understudy = createTarget()
  const url = await listen(createApp(understudy))
  const before = understudy.model.pipeline_schedules.count()
  await writeLedger(
    ledgerOf(path, url, 'schedules'),
    { kind: 'schedule', path: '/api/pipeline_schedules/1', home: 'judged_elsewhere' },
    { kind: 'schedule', path: '/api/pipeline_schedules/2' },
    { kind: 'backfill', path: '/api/backfills/1', home: 'judged_elsewhere' },
  )
  await verify(path, url, '--use-conventions', '--only', 'logs/envelope')

  expect(before).toBeGreaterThan(2)
  expect(understudy.model.pipeline_schedules.count()).toBe(before)
})

it('deletes what an old ledger names where it is still there and the same', async () => {
  const understudy = createTarget()
  const send = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await understudy.fetch(new Request(`http://x${path}`, init))).json()
  }
  await send('/api/pipelines', { pipeline: { name: 'judged-old', type: 'python' } })
  const { backfill } = await send('/api/pipelines/judged_old/backfills', { backfill: { name: 'old' } })
  const ledgerFile = await writeLedger(
    join(await folder(), 'ledger'),
    { kind: 'pipeline', path: '/api/pipelines/judged_old' },
    { kind: 'backfill', path: `/api/backfills/${backfill.id}`, home: 'judged_old' },
  )
  const target = toListener((request) => understudy.fetch(request))
  const { leftBehind } = await judge({ target, ledgerFile, useConventions: true, only: ['logs/envelope'] })

  expect(leftBehind).toEqual([])
  expect(understudy.model.backfills.count()).toBe(0)
  expect(understudy.model.pipelines.count()).toBe(1)
})

it('keeps in the ledger, and lists, what an earlier run left and this one may not delete', async () => {
  const path = await folder()
  const url = await listen(createApp(createTarget()))
  const file = ledgerOf(path, url, 'logs')
  await writeLedger(file, { kind: 'pipeline', path: '/api/pipelines/standing' })
  const out = await verify(path, url, '--only', 'logs/*')

  expect(out).toMatch(/Left on the target.*\n {2}\/api\/pipelines\/standing/)
  expect(existsSync(file) && readFileSync(file, 'utf8')).toContain('/api/pipelines/standing')
})

it('signs in twice at most, however many suites there are', async () => {
  const understudy = createTarget({ auth: 'login' })
  const before = understudy.model.oauth_access_tokens.count()
  const { apiKey, email, password } = builtIn
  const flags = ['--api-key', apiKey!, '--email', email!, '--password', password!]
  const out = await verify(await folder(), await listen(createApp(understudy)), ...flags, '--read-only')

  expect(out).toContain('0 broken')
  expect(understudy.model.oauth_access_tokens.count() - before).toBeLessThanOrEqual(2)
})

it('redacts a secret in every form a reply or a command may give it', () => {
  const secret = `a+b/c="quoted"\\it's`
  const secrets = new Secrets()
  secrets.add(secret)
  const body = { session: { password: secret } }
  const curl = curlLine('http://x', 'POST', `/api?api_key=${encodeURIComponent(secret)}`, {}, body, secrets)

  for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret), `k=${secret}`]) {
    expect(secrets.redact(form)).not.toMatch(/quoted|it's/)
  }
  expect(curl).not.toMatch(/quoted|it's|it'\\''s/)
})

it('redacts what a target says when it cannot be judged', async () => {
  const error = { code: 401, message: 'No such key: contract-key.', type: 'invalid_api_key' }
  const target = toListener(async () => Response.json({ error, status: 200 }))

  await expect(judge({ target, apiKey: 'contract-key' })).rejects.toThrow('No such key: ***.')
})

it('redacts before it shortens, so that no secret is cut in two', () => {
  const secrets = new Secrets()
  secrets.add('a-token-of-thirty-characters-x')
  const verdicts = new Verdicts(() => undefined, secrets)
  // Evidence ends at 400 characters, in the middle of the token.
  const text = `${'x'.repeat(385)}a-token-of-thirty-characters-x`
  verdicts.check('tokens/envelope', false, { text, curl: '', httpStatus: 200 } as Exchange)

  expect(JSON.stringify(verdicts.findings())).not.toContain('a-token')
})

it.each(otherwiseServers.map((server) => [server.name, server] as const))(
  'raises nothing about %s, which the document leaves open',
  async (_, server) => {
    expect(brokenRules(await judgeBroken(server))).toEqual([])
  },
)

it.each([1, 2, 3, 4, 5, 6])(
  'gives every rule one verdict, and deletes what it made, whatever the replies are (%i)',
  async (seed) => {
    const understudy = createTarget({ auth: 'login' })
    const change = corrupter(seed)
    let replies = 0
    const wrong = breakServer(
      { fetch: (request) => understudy.fetch(request) },
      {
        // The first look must find this API; records lose no uuid, or nobody could delete them.
        reply: ({ body }: Reply, { method, path }) =>
          ++replies < 6 || method !== 'GET' || path === '/api/sessions' ? undefined : { body: change(body) },
      },
    )
    const judgement: Judgement = await judge({
      ...builtIn,
      stories: 1,
      shrink: false,
      target: toListener((request) => wrong.fetch(request)),
    })

    expect(judgement.findings.map(({ rule }) => rule.id)).toEqual(rules.map(({ id }) => id))
    expect(brokenRules(judgement).length).toBeGreaterThan(0)
    expect(JSON.stringify(judgement.findings)).not.toContain('could not follow')
    expect(understudy.model.pipelines.count()).toBe(1)
  },
)

/** Replaces values of a reply at random, the same way for the same seed. */
function corrupter(seed: number): (value: unknown) => unknown {
  let state = seed
  const random = () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const wrong = [null, 7, '', [], [null], {}, true]
  const change = (value: unknown): unknown => {
    if (random() < 0.02) return wrong[Math.floor(random() * wrong.length)]
    if (Array.isArray(value)) return value.map(change)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]))
  }
  return change
}
