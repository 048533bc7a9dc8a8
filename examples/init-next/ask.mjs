// Asks the built application for its page: its server component reads from the understudy.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

const program = ['node_modules/next/dist/bin/next', 'start', '--port', '0', '--hostname', '127.0.0.1']
const next = spawn(process.execPath, program, { env: { ...process.env, UNDERSTUDY: 'on' } })
try {
  let url
  for await (const line of createInterface({ input: next.stdout })) {
    url ??= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (line.includes('Ready')) break
  }
  const page = await (await fetch(url)).text()
  if (!page.includes('<p>daily_sales</p>')) throw new Error(`The page shows something else: ${page}`)
} finally {
  next.kill()
  await once(next, 'close')
}
