import { readFile } from 'node:fs/promises'

/** Reads a text as editors and shells write it: in UTF-8, or in UTF-16 as Windows PowerShell does with `>`; without its mark. */
export async function readTextFile(path: string): Promise<string> {
  const bytes = await readFile(path)
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff
  // A decoder takes the mark away.
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes)
}
