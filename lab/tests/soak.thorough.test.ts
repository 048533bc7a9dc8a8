import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../../tests/support/root.ts'

it('answers twenty concurrent worlds correctly', async () => {
  const flags = ['--minutes', '0.03', '--worlds', '20', '--seed', '7']
  const child = spawn(process.execPath, [join(root, 'lab/soak.mjs'), ...flags])
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk
    })
  }
  const [code] = await once(child, 'close')

  expect([code, text]).toEqual([
    0,
    expect.stringMatching(
      /The loop was blocked for \d+ ms at most[\s\S]*foreign 0, wrong 0: every reply was right\./,
    ),
  ])
})
