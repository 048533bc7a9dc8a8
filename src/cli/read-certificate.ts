import { readTextFile, reasonNotRead } from '../files/read-file.ts'

/** Reads the PEM file of `--ca`. */
export async function readCertificate(file: string): Promise<string> {
  const text = await readTextFile(file).catch((error: unknown) => {
    throw new Error(`Cannot read ${file} for --ca: ${reasonNotRead(error)}.`)
  })
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new Error(`--ca: expected a PEM file; found no certificate in ${file}.`)
}
