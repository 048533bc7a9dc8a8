import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it as itInParts } from 'vitest'
import { createApp } from '../../src/server/create-app.ts'
import { firstOf, wholly } from '../../tests/support/depth.ts'
import { createTarget } from '../targets/built-in.ts'
import { listen } from './listen.ts'
import { folder } from './run-verify.ts'

const it = wholly(itInParts)

const root = join(import.meta.dirname, '../..')

/** Starts the command against a server that is slow enough to be interrupted. */
async function startSlowly(understudy: ReturnType<typeof createTarget>, ...flags: string[]) {
  const app = createApp(understudy)
  let onCreated = () => {}
  const hasCreated = new Promise<void>((resolve) => {
    onCreated = resolve
  })
  let isHanging = false
  const url = await listen((request, response) => {
    if (request.method === 'POST' && request.url?.endsWith('/backfills')) onCreated()
    if (!isHanging) setTimeout(() => app(request, response), 20)
  })
  const child = spawn('node', [
    join(root, 'dist/cli/main.js'),
    'verify',
    url,
    '--only',
    'delete-backfill/*',
    ...flags,
  ])
  let err = ''
  let onStopping = () => {}
  const isStopping = new Promise<void>((resolve) => {
    onStopping = resolve
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
    if (err.includes('Deleting')) onStopping()
  })
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  await hasCreated
  const hang = () => {
    isHanging = true
  }
  return { child, code, isStopping, hang, err: () => err }
}

itInParts.each(
  firstOf(1, [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const),
)('deletes its records on %s, and reports the signal', async (signal, expected) => {
  const understudy = createTarget()
  const before = understudy.model.pipelines.count()
  const report = join(await folder(), 'junit.xml')
  const { child, code } = await startSlowly(understudy, '--use-conventions', '--report', `junit=${report}`)
  child.kill(signal)

  expect(await code).toBe(expected)
  expect(await readFile(report, 'utf8')).toContain(
    `<error message="Verification was stopped by ${signal}."/>`,
  )
  expect(understudy.model.pipelines.count()).toBe(before)
  expect(understudy.model.backfills.count()).toBe(0)
})

it('lists the records that it could not delete when it is interrupted', async () => {
  const { child, code, err } = await startSlowly(createTarget())
  child.kill('SIGINT')

  expect(await code).toBe(130)
  expect(err()).toMatch(/^Deleting created records\. Repeat the signal to exit immediately\.\n/)
  expect(err()).toMatch(/Left on the target:\n(?: {2}\/api\/pipelines\/verifyrun\w+\n)+$/)
})

it('exits immediately on a second signal, and lists the remaining records', async () => {
  const { child, code, isStopping, hang, err } = await startSlowly(createTarget(), '--use-conventions')
  hang()
  child.kill('SIGINT')
  await isStopping
  const start = performance.now()
  child.kill('SIGINT')

  expect(await code).toBe(130)
  // Before one request is given up.
  expect(performance.now() - start).toBeLessThan(9_000)
  expect(err()).toMatch(/Left on the target:\n(?: {2}\/api\/pipelines\/verifyrun\w+\n)+/)
})
