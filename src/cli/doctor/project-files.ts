import { open, readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'

/** Folders with installed packages or build output. */
const passedOver = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor', 'target'])
const deepest = 8
const most = 20_000

/** Lists the source files of a project, relative to its folder, with slashes. */
export async function listFiles(folder: string): Promise<string[]> {
  const found: string[] = []
  const waiting = [{ path: '', depth: 0 }]
  for (const { path, depth } of waiting) {
    const entries = await readdir(join(folder, path), { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const inner = posix.join(path, entry.name)
      if (entry.isFile()) found.push(inner)
      else if (entry.isDirectory() && depth < deepest && isOwn(entry.name))
        waiting.push({ path: inner, depth: depth + 1 })
    }
    if (found.length > most) break
  }
  return found.sort()
}

function isOwn(name: string): boolean {
  return !name.startsWith('.') && !passedOver.has(name)
}

/** Returns whether a file is a fixture, by its name or by its `$schema`. */
export async function isFixture(folder: string, path: string): Promise<boolean> {
  if (path.endsWith('.fixture.json')) return true
  if (!path.endsWith('.json')) return false
  const file = await open(join(folder, path)).catch(() => undefined)
  if (file === undefined) return false
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(1_024), 0, 1_024, 0)
    const start = buffer.toString('utf8', 0, bytesRead)
    return /"\$schema"\s*:\s*"[^"]*pipeline-understudy\/fixtures\/fixture\.schema\.json"/.test(start)
  } finally {
    await file.close()
  }
}
