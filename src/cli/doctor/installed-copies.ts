import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** One place where a package is installed. */
export interface Copy {
  readonly version: string
  readonly folder: string
}

/** Every copy of a package that something in a project would find, each once, whatever links lead to it. */
export async function findCopies(folder: string, name: string): Promise<Copy[]> {
  const found = new Map<string, Copy>()
  const seen = new Set<string>()
  const waiting = (createRequire(join(folder, 'package.json')).resolve.paths(name) ?? []).filter(existsSync)
  for (const path of waiting) {
    const real = realpathSync(path)
    if (seen.has(real)) continue
    seen.add(real)
    addCopy(found, join(path, name))
    for (const inner of await packagesIn(path)) {
      const theirs = join(inner, 'node_modules')
      if (existsSync(theirs)) waiting.push(theirs)
    }
  }
  return [...found.values()]
}

function addCopy(found: Map<string, Copy>, place: string): void {
  const manifest = join(place, 'package.json')
  if (!existsSync(manifest)) return
  const folder = realpathSync(place)
  const { version = '0.0.0' } = JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string }
  if (!found.has(folder)) found.set(folder, { version, folder })
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
