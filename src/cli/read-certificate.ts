import { readTextFile, reasonNotRead } from '../files/read-file.ts'

/** Reads the PEM file of `--ca`. */
export function readCertificate(file: string): string {
  let text: string
  try {
    text = readTextFile(file)
  } catch (error) {
    throw new Error(`Cannot read ${file} for --ca: ${reasonNotRead(error)}.`)
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new Error(`--ca: expected a PEM file; found no certificate in ${file}.`)
}
