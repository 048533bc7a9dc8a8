import { mostReplyBytes } from '../../src/shared/read-reply.ts'

/** The minimum size of a reply whose bytes count, and the maximum number of bytes of such replies in a run. */
export const largeReply = 1 << 20
export const mostLargeBytes = 256 << 20

/** Ends a run whose target has sent too many bytes in large replies. */
export class TooMuchRead extends Error {
  constructor(path: string) {
    super(
      `The target sent more than ${mostLargeBytes >> 20} MB in replies larger than 1 MB, the last for ${path}. The run has ended. Verify a target with less data.`,
    )
  }
}

/** Thrown for a reply over the maximum size. */
export class TooLarge extends Error {
  constructor() {
    super(`the reply is larger than ${mostReplyBytes >> 20} MB`)
  }
}
