import { readTextFile } from '../files/read-file.ts'

/** Reads the PEM file of `--ca`. */
export function readCertificate(file: string): string {
  const text = readTextFile(file, `${file} for --ca`)
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new Error(`--ca: expected a PEM file; found no certificate in ${file}.`)
}
