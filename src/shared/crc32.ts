type Checksum = (bytes: Uint8Array) => number

interface Runtime {
  readonly process?: { getBuiltinModule?(name: string): { readonly crc32?: Checksum } | undefined }
}

/** Node's own, from 20.16 on: ten times as fast. A page has none. */
const native = (globalThis as Runtime).process?.getBuiltinModule?.('node:zlib')?.crc32

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let word = index
  for (let bit = 0; bit < 8; bit++) word = word & 1 ? (word >>> 1) ^ 0xedb88320 : word >>> 1
  return word
})

/** The same, in any runtime. */
export function portableCrc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (let index = 0; index < bytes.length; index++) {
    sum = (sum >>> 8) ^ table[(sum ^ bytes[index]!) & 0xff]!
  }
  return ~sum >>> 0
}

/** The checksum of bytes (CRC-32 as of ISO 3309, gzip and PNG): against damage, not against forgery. */
export const crc32: Checksum = native === undefined ? portableCrc32 : (bytes) => native(bytes)
