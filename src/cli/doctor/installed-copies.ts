import { existsSync, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
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
      // In the store of pnpm, the dependencies of a package are beside it.
      const real = realpathSync(inner)
      const isInStore = real.includes(`${sep}.pnpm${sep}`)
      const beside = isInStore ? [real.slice(0, real.lastIndexOf(nodeModules) + nodeModules.length)] : []
      waiting.push(...[join(real, 'node_modules'), ...beside].filter(existsSync))
    }
  }
  return [...found.values()]
}

const nodeModules = `${sep}node_modules`

/** Returns the folders of the packages in a `node_modules`, with those that have a scope. */
async function packagesIn(path: string): Promise<string[]> {
  const names = await readdir(path).catch(() => [])
  const nested = await Promise.all(
    names.map(async (name) => {
      const place = join(path, name)
      if (name.startsWith('.')) return []
      if (!name.startsWith('@')) return [place]
      return (await readdir(place).catch(() => [])).map((inner) => join(place, inner))
    }),
  )
  return nested.flat().filter(existsSync)
}
