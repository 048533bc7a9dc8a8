import { writeFile } from 'node:fs/promises'

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it exists already; choose another name',
  ENOENT: 'its folder is not there; make it first',
  ENOTDIR: 'what stands before its last / is no folder',
  EISDIR: 'it is a folder; name a file in it',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'what is there can only be read',
  ENOSPC: 'the disk is full',
}

/**
 * Writes a text into a file; with `isNew`, never over another.
 *
 * @throws where it cannot be written; the message says why, in words.
 */
export async function writeTextFile(path: string, text: string, isNew = false): Promise<void> {
  await writeFile(path, text, { flag: isNew ? 'wx' : 'w' }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`Cannot write ${path}: ${reasons[error.code ?? ''] ?? error.message}.`)
  })
}
