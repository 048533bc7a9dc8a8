import { jsonPieces } from '../shared/json-pieces.ts'

/** A reply that is written piece by piece: its text is never there as a whole. */
export class JsonText {
  readonly pieces: Iterable<string>

  constructor(value: unknown) {
    this.pieces = jsonPieces(value)
  }
}
