import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seededRandom } from '../src/shared/seeded.ts'
import { crashes } from './support/crash/index.ts'
import { isThorough } from './support/depth.ts'
import { root } from './support/root.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'understudy-crash-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

// The short form of `npm run crash`. Each waits for its servers most of the time, and so they run beside one another.
it.concurrent.each(Object.entries(crashes))('loses nothing: %s', async (name, crash) => {
  const { flaws } = await crash({
    cli: join(root, 'dist/cli/main.js'),
    folder: join(folder, name.replaceAll(/\W+/g, '-')),
    random: seededRandom(1, name),
    times: isThorough ? 2 : 1,
    worlds: isThorough ? 30 : 10,
  })

  // How much may be missing is a time, and a busy machine's own: `npm run crash` holds that.
  expect(flaws.filter((flaw) => !flaw.includes('before the kill'))).toEqual([])
})
