// Node loads the promises when they are asked for, which `serve` of a shipped fixture never does.
import { promises } from 'node:fs'

/** Reads a text as editors and shells write it: in UTF-8, or in UTF-16 as Windows PowerShell does with `>`; without its mark. */
export async function readTextFile(path: string): Promise<string> {
  const bytes = await promises.readFile(path)
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff
  // A decoder takes the mark away.
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes)
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'what stands before its last / is no folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
}

/** Why a file cannot be read, in words. */
export function whyUnreadable({ code = '', message }: NodeJS.ErrnoException): string {
  return reasons[code] ?? message
}
