/** Maximum number of bytes of one entry, and of everything outside the entries. */
const mostBytes = 64 * 1024 * 1024

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = Buffer.from('"\\{}[]')
/** Depth of `log.entries`: within the root object and the object `log`. */
const entriesDepth = 2

/**
 * Splits a HAR file into the texts of its entries, one at a time, so that its size does not matter. Returns the text of the
 * file with an empty list of entries, which shows whether the file is complete.
 *
 * No library: with the streaming parser `@streamparser/json`, reading alone took as long as reading and checking may.
 *
 * @throws RangeError if an entry is too large for the memory.
 */
export async function* splitEntries(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<string, string, undefined> {
  const outside: string[] = []
  let [depth, entriesSeen, isInEntries, isInString, isEscaped] = [0, false, false, false, false]
  let pending: Buffer[] = []
  let pendingBytes = 0
  const take = (part: Buffer) => {
    pendingBytes += part.length
    if (pendingBytes > mostBytes) throw new RangeError(`an entry of more than ${mostBytes} bytes`)
    pending.push(part)
  }
  const flush = () => {
    const text = pending.length === 1 ? String(pending[0]) : Buffer.concat(pending).toString()
    pending = []
    pendingBytes = 0
    return text
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index]
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) isInString = false
      } else if (byte === quote) {
        isInString = true
      } else if (byte === openBrace || byte === openBracket) {
        depth++
        if (byte !== openBracket || depth !== entriesDepth + 1 || entriesSeen) continue
        const before = Buffer.concat([...pending, chunk.subarray(start, index)]).toString()
        if (!/"entries"\s*:\s*$/.test(before)) continue
        entriesSeen = true
        isInEntries = true
        take(chunk.subarray(start, index + 1))
        outside.push(flush())
        start = index + 1
      } else if (byte === closeBrace || byte === closeBracket) {
        depth--
        if (!isInEntries) continue
        if (depth === entriesDepth + 1) {
          take(chunk.subarray(start, index + 1))
          start = index + 1
          // A comma separates it from the entry before.
          yield flush().replace(/^[\s,]*/, '')
        } else if (depth === entriesDepth) {
          isInEntries = false
          // The text after the last entry remains: a comma makes the file invalid.
          take(chunk.subarray(start, index))
          outside.push(flush())
          start = index
        }
      }
    }
    take(chunk.subarray(start))
  }
  return [...outside, flush()].join('')
}
