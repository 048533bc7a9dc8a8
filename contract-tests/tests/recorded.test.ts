import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const folder = join(import.meta.dirname, '../../fixtures/recorded/mage-ai-0.9.79')

it.each(['open', 'login'] as const)('has no secret in the recording of the %s server', async (mode) => {
  const text = JSON.stringify(JSON.parse(await readFile(join(folder, `${mode}.json`), 'utf8')))
  const tokens = [...text.matchAll(/"token\\?":\\?"([^"\\]+)/g)].map(([, token]) => token!)

  expect(text).not.toContain('zkWlN0PkIKSN0C11CfUHUj84OT5XOJ6tDZ6bDRO2')
  expect(text).not.toMatch(/\/tmp\/|\/root\/|\/home\//)
  for (const token of tokens) expect(token).toMatch(/^token-\d+$|\.signature$/)
})
