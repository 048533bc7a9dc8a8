import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { writeUserFile } from '../../files/write-file.ts'
import { quote } from '../../shared/errors.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'

export interface DemoOptions {
  /** The folder with the build of this package. */
  readonly built: string
  readonly fixture: object
  /** Path of the demo on its server, such as `/demo/`. Default: any path that ends with a slash. */
  readonly base?: string
  readonly isForced?: boolean
}

/** Scripts from other files of the package. */
const scripts = { worker: 'worker.js', mock: 'mockServiceWorker.js' }

/**
 * Writes the live demo into a folder that any static host serves; returns the number of files and of bytes.
 *
 * @throws UnderstudyError if the folder is not empty or the path is invalid.
 */
export async function writeDemo(
  folder: string,
  { built, fixture, base, isForced = false }: DemoOptions,
): Promise<{ readonly files: readonly string[]; readonly bytes: number }> {
  if (base !== undefined && !/^\/(?:[\w.~@-]+\/)*$/.test(base)) {
    throw new UnderstudyError(
      'OPTION_INVALID',
      `--base: expected a path that begins and ends with a slash, such as /demo/; found ${quote(base)}.`,
    )
  }
  const there = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return []
    throw error.code === 'ENOTDIR'
      ? new UnderstudyError('ARGUMENT_INVALID', `${folder} is not a folder. Choose another name.`)
      : error
  })
  if (there.length > 0 && !(isForced && there.includes(scripts.worker))) {
    throw new UnderstudyError(
      'ARGUMENT_INVALID',
      isForced
        ? `${folder} has other things in it than a demo; --force replaces a demo alone. Choose another folder.`
        : `${folder} is not empty. Choose another folder, or replace a demo that is there by --force.`,
    )
  }
  for (const name of there) await rm(join(folder, name), { recursive: true })
  await mkdir(folder, { recursive: true })
  await cp(join(built, 'demo'), folder, { recursive: true })
  await cp(join(built, 'panel'), join(folder, 'panel'), {
    recursive: true,
    filter: (path) => !/(?:\.d\.ts|[\\/](?:page|corner)\.js)$/.test(path),
  })
  await cp(join(built, 'THIRD-PARTY-LICENSES.txt'), join(folder, 'THIRD-PARTY-LICENSES.txt'))
  writeUserFile(join(folder, 'fixture.json'), JSON.stringify(fixture))
  if (base !== undefined) await setBase(join(folder, 'index.html'), base)
  return finish(folder)
}

/** Makes the URLs in the first page absolute, so that the page also opens without the slash at the end. */
async function setBase(page: string, base: string): Promise<void> {
  const text = await readFile(page, 'utf8')
  writeUserFile(page, text.replaceAll(/(href|src)="\.\//g, `$1="${base}`))
}

/** Adds the list of files to the service worker. */
async function finish(folder: string) {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name).slice(join(folder, '/').length).split(sep).join('/'),
    )
    .sort()
  const hash = createHash('sha256')
  let bytes = 0
  for (const file of files) {
    const content = await readFile(join(folder, file))
    hash.update(`${file}\n${content.length}\n`).update(content)
    bytes += content.length
  }
  // The browser caches these two itself, and the notices are not needed offline.
  const apart = new Set([scripts.worker, scripts.mock, 'THIRD-PARTY-LICENSES.txt'])
  const offline = {
    version: hash.digest('hex').slice(0, 16),
    files: files.filter((file) => !apart.has(file)),
  }
  const worker = join(folder, scripts.worker)
  writeUserFile(worker, `const offline = ${JSON.stringify(offline)}\n${await readFile(worker, 'utf8')}`)
  return { files, bytes }
}
