/**
 * Derives 32 hexadecimal digits from a seed and a text: equal for equal input, different for other input.
 * For the ids and tokens of a mock, not for secrets.
 */
export function seededHex(seed: number, text: string): string {
  const input = `${seed}:${text}`
  let words = [0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35]
  for (let index = 0; index < input.length; index++) {
    const unit = input.charCodeAt(index)
    words = words.map((word, lane) => Math.imul(word ^ (unit + lane * 0x1f), 0x01000193 + lane * 0x2a))
  }
  return words.map((word) => finish(word).toString(16).padStart(8, '0')).join('')
}

/** Spreads every bit of a 32-bit word over all of it. */
function finish(word: number): number {
  let mixed = word
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Creates a generator of numbers from 0 to below 1: the same sequence for the same seed and text, from a position on. */
export function seededRandom(seed: number, text: string, drawn = 0): () => number {
  const first = Number.parseInt(seededHex(seed, text).slice(0, 8), 16)
  let state = (first + Math.imul(drawn, 0x9e3779b9)) | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    return finish(state) / 2 ** 32
  }
}
