import { crc32 } from '../../shared/crc32.ts'
import type { Slices } from '../../shared/slices.ts'

/** A line of a state, without its end, and its checksum. */
export interface StateLine {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly sum: number
}

const encoder = new TextEncoder()
const newline = 10
const comma = 44
const between = encoder.encode(',\n')
const end = encoder.encode('\n')

/** Makes a line of a text that has no line breaks, as JSON has none. */
export function toLine(text: string): StateLine {
  const bytes = encoder.encode(text)
  return { bytes, sum: crc32(bytes) }
}

/** The checksum of lines: that of theirs, so that a line that is written again need not be read again. */
function sumOf(sums: readonly number[]): string {
  const bytes = new Uint8Array(4 * sums.length)
  const view = new DataView(bytes.buffer)
  for (const [index, sum] of sums.entries()) view.setUint32(4 * index, sum)
  return crc32(bytes).toString(16).padStart(8, '0')
}

/** Puts an object together: its first members, then lists with a line for each entry, then the checksum of all lines. */
export function joinLines(
  members: Readonly<Record<string, unknown>>,
  lists: Readonly<Record<string, readonly StateLine[]>>,
): Uint8Array<ArrayBuffer>[] {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  const sums: number[] = []
  let opening = `${JSON.stringify(members).slice(0, -1)},`
  for (const [name, lines] of Object.entries(lists)) {
    const head = toLine(`${opening}${JSON.stringify(name)}:[`)
    pieces.push(head.bytes, end)
    sums.push(head.sum)
    for (const [index, { bytes, sum }] of lines.entries()) {
      pieces.push(bytes, index < lines.length - 1 ? between : end)
      sums.push(sum)
    }
    opening = '],'
  }
  pieces.push(encoder.encode(`],"checksum":"${sumOf(sums)}"}\n`))
  return pieces
}

/** The checksum that the lines of a state have, the last one left out. */
export function* checksumOf(bytes: Uint8Array): Slices<string> {
  const sums: number[] = []
  const last = bytes.lastIndexOf(newline, bytes.length - 2)
  for (let begin = 0; begin <= last; ) {
    const next = bytes.indexOf(newline, begin)
    const isFollowed = next > begin && bytes[next - 1] === comma
    sums.push(crc32(bytes.subarray(begin, isFollowed ? next - 1 : next)))
    begin = next + 1
    yield
  }
  return sumOf(sums)
}
