import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

interface PackageManifest {
  readonly version?: string
  readonly type?: string
  readonly engines?: { readonly node?: string }
  readonly dependencies?: Readonly<Record<string, string>>
}

export interface InstalledPackage extends PackageManifest {
  readonly version: string
  readonly folder: string
}

/** Finds a package that the files of a folder can import. */
export function findPackage(from: string, name: string): InstalledPackage | undefined {
  const require = createRequire(join(from, 'package.json'))
  for (const path of require.resolve.paths(name) ?? []) {
    const found = packageAt(join(path, name))
    if (found !== undefined) return found
  }
  return process.versions.pnp === undefined ? undefined : findPlugged(require, name)
}

/** Finds a package by Yarn Plug'n'Play, which lets Node read packages in archives. */
function findPlugged(require: NodeJS.Require, name: string): InstalledPackage | undefined {
  try {
    return packageAt(dirname(require.resolve(`${name}/package.json`)))
  } catch {
    return undefined
  }
}

/** Reads the package in a folder; `undefined` if there is none. */
export function packageAt(folder: string): InstalledPackage | undefined {
  const path = join(folder, 'package.json')
  if (!existsSync(path)) return undefined
  const manifest: PackageManifest = JSON.parse(readInstalledFile(path))
  return { version: '0.0.0', ...manifest, folder }
}

/** Reads a file of an installed package, by its path: Yarn reads no descriptors of files in archives. */
export function readInstalledFile(path: string): string {
  return readFileSync(path, 'utf8')
}
