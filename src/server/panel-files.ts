import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageFolder } from '../files/package-folder.ts'

/** Reads a file of the panel, by its name; `undefined` if there is none, or the panel was not built. */
export async function readPanelFile(name: string): Promise<string | undefined> {
  if (!/^\w[\w.-]*\.js$/.test(name)) return undefined
  return readFile(join(packageFolder(), 'dist/panel', name), 'utf8').catch(() => undefined)
}
