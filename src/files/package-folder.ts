import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Returns the root folder of this package. Source files and built files are at different depths below it. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'fixtures/demo.json')) && dirname(folder) !== folder)
    folder = dirname(folder)
  return folder
}

/** Reads a file of this package. */
export function readPackageFile(path: string): string {
  return readFileSync(join(packageFolder(), path), 'utf8')
}
