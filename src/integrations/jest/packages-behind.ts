import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Returns the names of packages and all their dependencies, as installed. */
export function packagesBehind(names: readonly string[], from: string): string[] {
  const found = new Set<string>()
  const looked = names.map((name) => ({ name, from }))
  for (const { name, from } of looked) {
    const folder = found.has(name) ? undefined : folderOf(name, from)
    if (folder === undefined) continue
    found.add(name)
    const { dependencies = {} } = readManifest(folder)
    looked.push(...Object.keys(dependencies).map((dependency) => ({ name: dependency, from: folder })))
  }
  return [...found]
}

function folderOf(name: string, from: string): string | undefined {
  const places = createRequire(join(from, 'package.json')).resolve.paths(name) ?? []
  return places.map((place) => join(place, name)).find((folder) => existsSync(join(folder, 'package.json')))
}

interface PackageManifest {
  readonly type?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

export function readManifest(folder: string): PackageManifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
