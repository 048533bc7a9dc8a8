import { promises } from 'node:fs'

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it exists already; choose another name',
  ENOENT: 'its folder is not there; make it first',
  ENOTDIR: 'what stands before its last / is no folder',
  EISDIR: 'it is a folder; name a file in it',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'what is there can only be read',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'its name is too long',
}

/**
 * Writes a text into a file; with `isNew`, never over another.
 *
 * @throws where it cannot be written; the message says why, in words.
 */
export async function writeTextFile(path: string, text: string, isNew = false): Promise<void> {
  await promises.writeFile(path, text, { flag: isNew ? 'wx' : 'w' }).catch((error: NodeJS.ErrnoException) => {
    throw cannotWrite(path, error)
  })
}

/** The error that says in words why a path cannot be written. */
export function cannotWrite(path: string, { code, message }: NodeJS.ErrnoException): Error {
  return new Error(`Cannot write ${path}: ${reasons[code ?? ''] ?? message}.`)
}
