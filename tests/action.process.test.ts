import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it as itInParts } from 'vitest'
import { firstOf, thoroughly, wholly } from './support/depth.ts'
import { action, runAction } from './support/run-action.ts'

const it = wholly(itInParts)

const quick = '--sequences=0\n--only=delete-backfill/*\n--use-conventions'

it('starts a server that outlives its step', async () => {
  const { code, outputs } = await runAction({ command: 'serve', port: '0', flags: '--fixture=empty\n' })
  const reply = await fetch(`${outputs.url}/api/pipelines`)

  expect(code).toBe(0)
  expect(outputs.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(await reply.json()).toMatchObject({ pipelines: [] })
})

thoroughly(itInParts)('verifies a correct server, and writes reports and a job summary', async () => {
  const { outputs: served } = await runAction({ command: 'serve', port: '0', flags: '--auth=key' })
  const { code, outputs, summary, workspace } = await runAction({
    command: 'verify',
    url: served.url!,
    'api-key': 'demo-api-key',
    flags: quick,
  })

  expect(code).toBe(0)
  expect(outputs).toEqual({ 'exit-code': '0', reports: 'contract-reports' })
  expect(summary).toMatch(/^# Contract verification\n\n✅ \*\*PASSED/)
  expect(readdirSync(join(workspace, 'contract-reports')).sort()).toEqual([
    'contract.json',
    'contract.md',
    'contract.sarif',
    'contract.xml',
  ])
  const sarif = readFileSync(join(workspace, 'contract-reports/contract.sarif'), 'utf8')
  expect(JSON.parse(sarif)).toMatchObject({ version: '2.1.0', runs: [{ results: [] }] })
})

thoroughly(itInParts)(
  'fails the job of a faulty server, with an annotation on the line of the specification',
  async () => {
    const faultyVariant = '--broken=delete-returns-nothing'
    const { outputs: served } = await runAction({ command: 'serve', port: '0', flags: faultyVariant })
    const { code, out, outputs, summary } = await runAction({
      command: 'verify',
      url: served.url!,
      flags: quick,
      reports: 'out/contract',
    })

    expect(code).toBe(1)
    expect(outputs).toEqual({ 'exit-code': '1', reports: 'out/contract' })
    expect(out).toMatch(/^::error file=docs\/spec\/pipeline-orchestration-api\.md,line=\d+,title=/m)
    expect(summary).toMatch(/^# Contract verification\n\n❌ \*\*FAILED/)
  },
)

/** Wrong inputs, and the reason. */
const refusals: readonly [Record<string, string>, string][] = [
  [{ command: 'serve', port: '$(touch owned)' }, 'The input port is no number of a port.'],
  [{ command: 'verify', url: 'http://127.0.0.1', reports: '/; touch owned' }, 'The input reports is no path'],
  [{ command: 'destroy' }, 'The input command is neither serve nor verify.'],
  [{ command: 'serve', version: 'latest' }, 'The input version is neither'],
  [{ command: 'serve', version: '0.1.0 --registry=http://elsewhere' }, 'The input version is neither'],
  [{ command: 'serve', url: 'http://127.0.0.1' }, 'The input url is of the command verify'],
  [{ command: 'verify' }, 'The command verify needs the input url'],
  [{ command: 'verify', url: '--clean' }, 'The command verify needs the input url'],
  [{ command: 'verify', url: 'http://127.0.0.1', summary: 'maybe' }, 'The input summary is neither'],
  [{ command: 'serve', flags: 'empty' }, 'The input flags has a line that is no flag'],
  [
    { command: 'serve', flags: '--quiet\n--port=80' },
    'The input flags has a flag that is an input of its own',
  ],
]

itInParts.each(firstOf(2, refusals))('refuses %j before anything is run', async (inputs, text) => {
  const { code, out, workspace } = await runAction(inputs)

  expect(code).toBe(2)
  expect(out).toMatch(/^::error title=pipeline-understudy::.+\n$/)
  expect(out).toContain(text)
  expect(existsSync(join(workspace, 'owned'))).toBe(false)
})

it('reads an input as text, never as a command', async () => {
  const flags = '--fixture=$(touch owned)`touch owned`"; touch owned; "'
  const { code, out, workspace } = await runAction({ command: 'serve', port: '0', flags })

  expect(code).toBe(2)
  expect(out).toContain('The understudy did not start.')
  expect(existsSync(join(workspace, 'owned'))).toBe(false)
})

it('has no script that an input is written into', () => {
  expect(action.runs.steps.filter(({ run }) => run.includes('${{'))).toEqual([])
})
