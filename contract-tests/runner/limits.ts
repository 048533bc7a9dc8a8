/** The most that is read of one reply, unpacked; a larger one is not judged. */
export const mostBytes = 32 << 20

/** Thrown where a reply is larger than what is read of one. */
export class TooLarge extends Error {
  constructor() {
    super(`the reply is larger than ${mostBytes >> 20} MB`)
  }
}
