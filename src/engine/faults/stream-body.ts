import type { Leaving, Waits } from './delivery.ts'

/** A body that arrives in pieces, and breaks off in the middle after a reset. */
export function streamBody(
  text: string,
  time: number,
  isReset: boolean,
  waits: Waits,
  leaving: Leaving,
): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  const pieces = toPieces(bytes.length, isReset, (start, end) => bytes.subarray(start, end))
  let cancel: () => void = () => undefined
  const leavingOrCancelled: Leaving = (end) => {
    cancel = end
    return leaving(end)
  }
  return new ReadableStream(
    {
      async pull(controller) {
        const piece = pieces.shift()
        if (piece === undefined) {
          if (isReset) controller.error(new TypeError('A fault reset the connection.'))
          else controller.close()
          return
        }
        if (time > 0 && !(await waits.pause(time / piecesOfBody, leavingOrCancelled))) {
          controller.error(new TypeError('The understudy was disposed of.'))
        } else controller.enqueue(piece)
      },
      cancel: () => cancel(),
    },
    { highWaterMark: 0 },
  )
}

const piecesOfBody = 10

/** Cuts a body of some length into pieces; only the first half of them where it breaks off. */
export function toPieces<Piece>(
  length: number,
  isHalf: boolean,
  cut: (start: number, end: number) => Piece,
): Piece[] {
  const size = Math.ceil(length / piecesOfBody)
  const count = Math.ceil(length / size)
  return Array.from({ length: isHalf ? Math.ceil(count / 2) : count }, (_, index) =>
    cut(index * size, (index + 1) * size),
  )
}
