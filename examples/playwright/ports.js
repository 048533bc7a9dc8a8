// Two ports of this folder's own: a copy of it may run at the same time.
import { createHash } from 'node:crypto'

const number = createHash('sha256')
  .update(import.meta.dirname)
  .digest()
  .readUInt16BE()
export const app = 20_000 + (number % 6_000) * 2
export const api = app + 1
