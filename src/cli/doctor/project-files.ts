import { open, readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'

/** Folders that hold what others wrote, or what was built. */
const passedOver = new Set(['node_modules', 'dist', 'build', 'out', 'coverage', 'vendor', 'target'])
const deepest = 8
const most = 20_000

/** The files of a project, from its folder, with slashes: sources, not what is installed or built. */
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

/** Tells whether a file is a fixture: by its name, or by the schema that it names at its beginning. */
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
