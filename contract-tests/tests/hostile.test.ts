import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createApp } from '../../src/server/create-app.ts'
import { seededRandom } from '../../src/shared/seeded.ts'
import { isThorough, wholly } from '../../tests/support/depth.ts'
import type { ParsedReply } from '../mutants/define-mutant.ts'
import { breakServer } from '../mutants/define-mutant.ts'
import { rules } from '../rules/index.ts'
import { checkTarget } from '../runner/check-target.ts'
import type { Exchange } from '../runner/client.ts'
import type { CheckResult } from '../runner/options.ts'
import { Secrets } from '../runner/redact.ts'
import { Verdicts } from '../runner/verdicts.ts'
import { answering } from '../targets/answering.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'
import { failedRules } from './check-mutant.ts'
import { it as itInParts, type OwnThings } from './it.ts'
import { runVerify } from './run-verify.ts'

const it = wholly(itInParts)

/** Runs the command with its own folder for cleanup logs, and returns its output. */
async function verify(temporary: string, ...flags: string[]): Promise<string> {
  const { out, err } = await runVerify([...flags, '--sequences', '0'], { temporary })
  return out + err
}

const digestOf = (url: string) => createHash('sha256').update(url).digest('hex').slice(0, 12)

/** Writes the cleanup log of an earlier run into the folder for temporary files. */
async function leaveCleanupLog(
  temporary: string,
  url: string,
  { prefix = 'verifyrunearlier', pid = 999_999_999, target = url },
  ...entries: object[]
): Promise<string> {
  const path = join(temporary, `understudy-cleanup-logs-${userInfo().username}`)
  await mkdir(path, { mode: 0o700, recursive: true })
  const header = { run: 'earlier', target, prefix, pid, started: '1' }
  const file = join(path, `${digestOf(url)}.earlier.cleanupLog`)
  await writeFile(file, [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}

/** Serves a correct target, and creates a folder for temporary files. */
async function serveTarget({ folder, listen }: OwnThings) {
  const understudy = createTarget()
  return { path: await folder(), understudy, url: await listen(createApp(understudy)) }
}

it.concurrent('deletes no record of another database that an old cleanup log names', async ({
  folder,
  listen,
}) => {
  const { path, understudy, url } = await serveTarget({ folder, listen })
  const before = understudy.model.pipeline_schedules.count()
  await leaveCleanupLog(path, url, {}, { created: 'standing' }, { created: 'verifyrunearlier_home1' })
  await verify(path, url, '--use-conventions', '--only', 'pipeline-fields/uuid')

  expect(before).toBeGreaterThan(2)
  expect(understudy.model.pipeline_schedules.count()).toBe(before)
  expect(understudy.model.pipelines.count()).toBe(1)
})

/** Creates the records that a killed run leaves on a target; returns the line of its cleanup log. */
async function leaveRecords(understudy: ReturnType<typeof createTarget>): Promise<object> {
  const uuid = 'verifyrunearlier_home1'
  await understudy.factories.pipeline.create({ uuid, name: uuid })
  await understudy.factories.backfill.create({ pipeline_uuid: uuid, name: 'verifyrunearlier-1' })
  return { created: uuid }
}

it.concurrent.for([
  ['the next run', '--only=pipeline-fields/uuid'],
  ['--clean', '--clean'],
] as const)('deletes the records of a killed run with %s', async ([_, flag], { folder, listen }) => {
  const { path, understudy, url } = await serveTarget({ folder, listen })
  const file = await leaveCleanupLog(path, url, {}, await leaveRecords(understudy))
  await verify(path, url, '--use-conventions', flag)

  expect(understudy.model.backfills.count()).toBe(0)
  expect(understudy.model.pipelines.count()).toBe(1)
  expect(existsSync(file)).toBe(false)
})

it.concurrent('deletes no record of an active run, and none with --read-only', async ({ folder, listen }) => {
  const { path, understudy, url } = await serveTarget({ folder, listen })
  const started = readFileSync(`/proc/${process.pid}/stat`, 'utf8')
    .replace(/^.*\)\s/s, '')
    .split(' ')[19]
  const line = await leaveRecords(understudy)
  const file = await leaveCleanupLog(path, url, { pid: process.pid }, line)
  await writeFile(file, readFileSync(file, 'utf8').replace('"started":"1"', `"started":"${started}"`))
  await verify(path, url, '--use-conventions', '--only', 'pipeline-fields/uuid')
  expect(understudy.model.backfills.count()).toBe(1)

  await leaveCleanupLog(path, url, {}, line)
  await verify(path, url, '--use-conventions', '--read-only', '--only', 'pipeline-fields/uuid')
  expect(understudy.model.backfills.count()).toBe(1)
})

it.concurrent.for([
  ['half a line', '{"creat'],
  ['a uuid that climbs', '{"created":".."}'],
  ['a line of another form', '{"kind":"user","path":"/api/users/1"}'],
] as const)('reports a cleanup log with %s, and sets it aside', async ([_, line], { folder, listen }) => {
  const { path, url } = await serveTarget({ folder, listen })
  const file = await leaveCleanupLog(path, url, {})
  await writeFile(file, `${readFileSync(file, 'utf8')}${line}`)
  const out = await verify(path, url, '--only', 'pipeline-fields/uuid')

  expect(out.replaceAll('\n', ' ')).toMatch(
    /A cleanup log is invalid \(.{10,}\)\. Its records were not deleted, .* renamed to .*\.broken/,
  )
  expect([existsSync(file), existsSync(`${file}.broken`)]).toEqual([false, true])
})

it.concurrent('rejects a cleanup log that is a link, and overwrites no log that was set aside', async ({
  folder,
  listen,
}) => {
  const { path, understudy, url } = await serveTarget({ folder, listen })
  const file = await leaveCleanupLog(path, url, {}, await leaveRecords(understudy))
  await rename(file, join(path, 'elsewhere'))
  await symlink(join(path, 'elsewhere'), file)
  await writeFile(`${file}.broken`, 'of an earlier run')
  const out = await verify(path, url, '--use-conventions', '--only', 'pipeline-fields/uuid')

  expect(out.replaceAll('\n', ' ')).toMatch(
    /A cleanup log is invalid \(it is no file\)\. Its .* renamed to .*\.broken-2/,
  )
  expect(readFileSync(`${file}.broken`, 'utf8')).toBe('of an earlier run')
  expect(understudy.model.backfills.count()).toBe(1)
})

it.concurrent('deletes no record of a cleanup log with a name that no run gives', async ({
  folder,
  listen,
}) => {
  const { path, understudy, url } = await serveTarget({ folder, listen })
  await understudy.factories.backfill.create({ pipeline_uuid: 'standing', name: 'nightly' })
  await leaveCleanupLog(path, url, {}, { created: 'standing' })
  await verify(path, url, '--use-conventions', '--only', 'pipeline-fields/uuid')

  expect(understudy.model.backfills.count()).toBe(1)
})

it.concurrent('rejects a cleanup log with a prefix that several runs share', async ({ folder, listen }) => {
  const { path, understudy, url } = await serveTarget({ folder, listen })
  await leaveCleanupLog(path, url, { prefix: 'stand' }, { created: 'standing' })
  const out = await verify(path, url, '--use-conventions', '--only', 'pipeline-fields/uuid')

  expect(out.replaceAll('\n', ' ')).toContain(
    'A cleanup log is invalid (the prefix does not end in the number of the run)',
  )
  expect(understudy.model.pipelines.count()).toBe(1)
})

it.concurrent('rejects a cleanup log in a folder that other users may write to', async ({
  folder,
  listen,
}) => {
  const { path, url } = await serveTarget({ folder, listen })
  await mkdir(join(path, `understudy-cleanup-logs-${userInfo().username}`), { mode: 0o777 })
  await chmod(join(path, `understudy-cleanup-logs-${userInfo().username}`), 0o777)
  const out = await verify(path, url, '--only', 'pipeline-fields/uuid')

  expect(out).toContain('found the mode 777 instead of 700')
})

it.concurrent('lists records of an earlier run that it may not delete, and leaves them in the cleanup log', async ({
  folder,
  listen,
}) => {
  const { path, understudy, url } = await serveTarget({ folder, listen })
  const file = await leaveCleanupLog(path, url, {}, await leaveRecords(understudy))
  const out = await verify(path, url, '--only', 'pipeline-fields/uuid')

  expect(out).toMatch(
    /Earlier runs have left 1 record\. Delete them with: pipeline-understudy verify\s\S+\s--clean\s--use-conventions/,
  )
  expect(existsSync(file) && readFileSync(file, 'utf8')).toContain('verifyrunearlier_home1')
})

it.concurrent('signs in at most twice', async ({ folder, listen }) => {
  const understudy = createTarget({ auth: 'login' })
  const before = understudy.model.oauth_access_tokens.count()
  const { apiKey, email, password } = builtIn
  const flags = ['--api-key', apiKey!, '--email', email!, '--password', password!]
  const out = await verify(await folder(), await listen(createApp(understudy)), ...flags, '--read-only')

  expect(out).toContain(' 0 failed')
  expect(understudy.model.oauth_access_tokens.count() - before).toBeLessThanOrEqual(2)
})

it('redacts a secret before it shortens the text', () => {
  const secrets = new Secrets()
  secrets.add('a-token-of-thirty-characters-x')
  const verdicts = new Verdicts({ skips: () => undefined, secrets })
  // Evidence ends at 600 characters, in the middle of the token.
  const text = `${'x'.repeat(585)}a-token-of-thirty-characters-x`
  verdicts.check('list-oauth-access-tokens/envelope', false, {
    method: 'GET',
    path: '/api',
    text,
    curl: '',
    httpStatus: 200,
  } as Exchange)

  expect(JSON.stringify(verdicts.findings())).not.toContain('a-token')
})

/** The scenarios that `npm test` runs, and those of the thorough tests. */
const scenarios: readonly (readonly [seed: number, ...names: string[]])[] = isThorough
  ? [
      [1, 'pipelines', 'blocks', 'backfills', 'damage'],
      [2, 'trigger', 'schedules', 'logs', 'credentials', 'sequences'],
    ]
  : [[3, 'blocks']]

itInParts.concurrent.for(scenarios)(
  'gives every rule one verdict, and deletes its records, for random replies (seed %i)',
  async ([seed, ...played]) => {
    const understudy = createTarget({ auth: 'login' })
    const change = corrupter(seed)
    let replies = 0
    const wrong = breakServer(answering(understudy), {
      // The preflight requests must find this API; records have their uuid, so that they can be deleted.
      reply: ({ body }: ParsedReply, { method, path }) =>
        ++replies < 6 || method !== 'GET' || path === '/api/sessions' ? undefined : { body: change(body) },
    })
    const result: CheckResult = await checkTarget({
      ...builtIn,
      sequences: isThorough ? 1 : 0,
      scenarios: played,
      shrink: false,
      // The thorough tests also run deviations again.
      confirm: isThorough,
      target: wrong,
    })

    expect(result.findings.map(({ rule }) => rule.id)).toEqual(rules.map(({ id }) => id))
    expect(failedRules(result).length).toBeGreaterThan(0)
    expect(JSON.stringify(result.findings)).not.toContain('could not follow')
    expect(understudy.model.pipelines.count()).toBe(1)
  },
)

/** Replaces values of a reply at random, the same way for the same seed. */
function corrupter(seed: number): (value: unknown) => unknown {
  const random = seededRandom(seed, 'replies')
  const wrong = [null, 7, '', [], [null], {}, true]
  const change = (value: unknown): unknown => {
    if (random() < 0.02) return wrong[Math.floor(random() * wrong.length)]
    if (Array.isArray(value)) return value.map(change)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]))
  }
  return change
}
