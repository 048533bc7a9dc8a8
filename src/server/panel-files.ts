import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the panel, `dist/panel` of this package, found from the location of this code. */
let folder: Promise<string | undefined> | undefined

/** A file of the panel, by its name; `undefined` where there is none, or the panel was not built with this code. */
export async function readPanelFile(name: string): Promise<string | undefined> {
  if (!/^\w[\w.-]*\.js$/.test(name)) return undefined
  folder ??= findFolder(dirname(fileURLToPath(import.meta.url)))
  const found = await folder
  if (found === undefined) return undefined
  return readFile(join(found, name), 'utf8').catch(() => undefined)
}

async function findFolder(start: string): Promise<string | undefined> {
  for (let at = start; ; at = dirname(at)) {
    const manifest = await readFile(join(at, 'package.json'), 'utf8').catch(() => undefined)
    const { name }: { name?: string } = manifest === undefined ? {} : JSON.parse(manifest)
    if (name === 'pipeline-understudy') return join(at, 'dist/panel')
    if (dirname(at) === at) return undefined
  }
}
