import { existsSync, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Installed, installedAt } from '../project/project.ts'

/** Every copy of a package that something in a project would find, each once, whatever links lead to it. */
export async function findCopies(folder: string, name: string): Promise<Installed[]> {
  const found = new Map<string, Installed>()
  const seen = new Set<string>()
  const waiting = (createRequire(join(folder, 'package.json')).resolve.paths(name) ?? []).filter(existsSync)
  for (const path of waiting) {
    const real = realpathSync(path)
    if (seen.has(real)) continue
    seen.add(real)
    const place = join(path, name)
    const copy = existsSync(place) ? installedAt(realpathSync(place)) : undefined
    if (copy !== undefined) found.set(copy.folder, copy)
    for (const inner of await packagesIn(path)) {
      const theirs = join(inner, 'node_modules')
      if (existsSync(theirs)) waiting.push(theirs)
    }
  }
  return [...found.values()]
}

/** The packages of a `node_modules`, those with a scope and those in pnpm's store included. */
async function packagesIn(path: string): Promise<string[]> {
  const names = await readdir(path).catch(() => [])
  const nested = await Promise.all(
    names.map(async (name) => {
      const place = join(path, name)
      if (!name.startsWith('@') && name !== '.pnpm') return [place]
      return (await readdir(place).catch(() => [])).map((inner) => join(place, inner))
    }),
  )
  return nested.flat()
}
