import { existsSync } from 'node:fs'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createTarget, toListener } from '../targets/built-in.ts'
import { it } from './it.ts'
import { runVerify } from './run-verify.ts'

it.concurrent('rejects one file for two reports before the first request, even through a link', async ({
  folder,
}) => {
  const path = await folder()
  const file = join(path, 'report')
  await symlink('report', join(path, 'link'))
  const flags = ['--report', `json=${file}`, '--report', `junit=${join(path, 'link')}`]
  const { code, err } = await runVerify(['http://127.0.0.1:9', ...flags])

  expect(err).toContain('Expected a file for each report; found one for json and junit')
  expect(code).toBe(2)
})

it.concurrent('prints no control character of a uuid that the target returned', async ({ listen }) => {
  const understudy = createTarget()
  const app = toListener(async (request) => {
    const reply = await understudy.fetch(request)
    const isCreation = request.method === 'POST' && request.url.endsWith('/api/pipelines')
    if (!isCreation) return reply
    const { pipeline } = await reply.json()
    return Response.json({ pipeline: { ...pipeline, uuid: `${pipeline?.uuid}\u009b31m\u202e` } })
  })
  const { out } = await runVerify([
    await listen(app),
    '--use-conventions',
    '--sequences',
    '0',
    '--only',
    'create-pipeline/*',
  ])

  expect(out).toContain('FAILED')
  expect(out).not.toMatch(/[\u0080-\u009f\u202e]/)
})

it.concurrent.for([
  ['of an address without a scheme', ['keeper:s3cret@127.0.0.1:9']],
  ['of an address of another scheme', ['ftp://keeper:s3cret@127.0.0.1/']],
  ['in the query of an address', ['http://127.0.0.1:9/?api_key=s3cret']],
  ['of a flag that is misspelt', ['http://127.0.0.1:9', '--apikey=s3cret']],
  ['of a need without a name', ['http://127.0.0.1:9', '--need', 's3cret']],
  ['in the place of a need', ['http://127.0.0.1:9', '--need', 's3cretToken==']],
  ['of a password that looks like a flag', ['http://127.0.0.1:9', '--email', 'x', '--password', '-s3cret']],
] as const)('prints no credential %s', async ([_, flags], { folder }) => {
  const file = join(await folder(), 'report')
  const { code, out, err } = await runVerify([...flags, '--report', `json=${file}`])
  const report = existsSync(file) ? await readFile(file, 'utf8') : ''

  expect(err).toMatch(/Expected|error:|Unknown --need/)
  expect(`${out}${err}${report}`).not.toContain('s3cret')
  expect(code).toBe(2)
})
