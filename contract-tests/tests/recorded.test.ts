import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newDeviations } from '../reports/report.ts'
import { isDerived } from '../rules/derived.ts'
import { checkTarget } from '../runner/check-target.ts'
import { type Recording, replay } from '../targets/recording.ts'
import { applyBaseline, parseBaseline } from '../verify/baseline.ts'

const root = join(import.meta.dirname, '../..')
const baselinePath = join(import.meta.dirname, '../baselines/mage-ai-0.9.79.json')
const baseline = parseBaseline(await readFile(baselinePath, 'utf8'), 'mage-ai-0.9.79.json')
const read = async (mode: string) =>
  JSON.parse(await readFile(join(root, `fixtures/recorded/mage-ai-0.9.79/${mode}.json`), 'utf8')) as Recording

const credentials = {
  open: {},
  login: { apiKey: 'secret-1', email: 'admin@admin.com', password: 'admin' },
}

it.each(['open', 'login'] as const)(
  'finds in the recording of the %s server just what its baseline says',
  async (mode) => {
    const recording = await read(mode)
    const result = await checkTarget({
      target: replay(recording),
      prefix: recording.prefix,
      useConventions: true,
      // The recording has replies to what its run has sent only.
      sequences: 0,
      confirm: false,
      ...credentials[mode],
    })
    const { findings, gone } = applyBaseline(result.findings, baseline, mode)

    expect(newDeviations(findings).map(({ rule }) => rule.id)).toEqual([])
    // What sequences find is not in it.
    expect(gone.filter((rule) => !isDerived(rule))).toEqual([])
  },
)

it.each(['open', 'login'] as const)('holds no secret in the recording of the %s server', async (mode) => {
  const text = JSON.stringify(await read(mode))
  const tokens = [...text.matchAll(/"token\\?":\\?"([^"\\]+)/g)].map(([, token]) => token!)

  expect(text).not.toContain('zkWlN0PkIKSN0C11CfUHUj84OT5XOJ6tDZ6bDRO2')
  expect(text).not.toMatch(/\/tmp\/|\/root\/|\/home\//)
  for (const token of tokens) expect(token).toMatch(/^token-\d+$|\.signature$/)
})
