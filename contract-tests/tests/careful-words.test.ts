import { existsSync } from 'node:fs'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { reportNames } from '../reports/report-names.ts'
import { createTarget, expressTarget, toListener } from '../targets/built-in.ts'
import { it } from './it.ts'
import { runVerify } from './run-verify.ts'

it.concurrent('names the targets when it merges reports about several', async ({ folder, listen }) => {
  const path = await folder()
  const part = (url: string, shard: string, file: string) =>
    runVerify([
      url,
      '--sequences',
      '0',
      '--read-only',
      '--shard',
      shard,
      '--report',
      `json=${join(path, file)}`,
    ])
  const [one, other] = [await listen(expressTarget()), await listen(expressTarget())]
  await part(one, '1/2', 'one')
  await part(other, '2/2', 'two')
  const { out } = await runVerify(['--merge', join(path, 'one'), join(path, 'two')])

  expect(out).toContain('The reports that were merged are of several targets.')
  expect(out.replaceAll('\n', ' ')).toContain(` to ${one}, ${other} `)
})

it.concurrent('removes credentials and control sequences from a merged report', async ({ folder }) => {
  const path = await folder()
  const nasty = '::error::gotcha \u001b[2J\u009b31m ##[error]x \u202e'
  const texts = [
    'headline',
    'operation',
    'expected',
    'received',
    'expectedForm',
    'receivedForm',
    'request',
    'reply',
    'curl',
  ]
  const evidence = {
    ...Object.fromEntries(texts.map((name) => [name, nasty])),
    reproduction: `echo\n${nasty}`,
    sentence: { line: 1, text: nasty },
    causes: [nasty],
    httpStatus: 200,
    steps: [nasty],
  }
  const finding = {
    rule: {
      id: 'gone/rule',
      claim: nasty,
      section: nasty,
      sentence: { line: 1, text: nasty },
      source: 'specified',
    },
    verdict: { kind: 'failed', evidence },
  }
  const report = {
    target: 'http://keeper:s3cret-pass@127.0.0.1:9?api_key=s3cret-key',
    findings: [finding],
    gone: [],
    requests: 1,
    milliseconds: 1,
    waited: 1,
    ...Object.fromEntries(['notes', 'harm', 'leftBehind'].map((name) => [name, [nasty]])),
  }
  await writeFile(join(path, 'part'), JSON.stringify(report))
  const reports = reportNames.flatMap((name) => ['--report', `${name}=${join(path, name)}`])
  const { out } = await runVerify(['--verbose', ...reports, '--merge', join(path, 'part')])
  const written = await Promise.all(reportNames.map((name) => readFile(join(path, name), 'utf8')))

  for (const text of [out, ...written]) {
    expect(text).not.toMatch(/s3cret|keeper/)
    expect(text).not.toMatch(/[\u001b\u009b\u202e]/)
  }
  expect(out).not.toMatch(/^\s*::error::gotcha/m)
  expect(out).not.toContain('##[error]')
  const markup = { ...report, findings: [{ ...finding, rule: { ...finding.rule, id: '<script>' } }] }
  await writeFile(join(path, 'markup'), JSON.stringify(markup))
  const refused = await runVerify(['--merge', join(path, 'markup')])

  expect(refused.err).toContain('found other JSON (findings.0.rule.id: that is no id)')
  expect(refused.code).toBe(2)
})

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
  const { out } = await runVerify([await listen(app), '--use-conventions', '--only', 'pipeline-create/*'])

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
