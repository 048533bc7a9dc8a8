import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Creates an empty folder that is removed when the test ends. Concurrent tests pass their own `onTestFinished`. */
export function makeFolder(whenFinished = onTestFinished, parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, '.understudy-'))
  whenFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Creates a folder with files until the test ends; what is no text is written as JSON. */
export function makeFolderOf(files: Readonly<Record<string, unknown>>): string {
  const folder = makeFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

/** Serves a listener on a free port until the test ends, and returns its URL. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close().closeAllConnections())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
