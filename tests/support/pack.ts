import { deflateRawSync } from 'node:zlib'

/** Packs a value as a link of the demo carries it. */
export const pack = (value: unknown) => deflateRawSync(JSON.stringify(value)).toString('base64url')
