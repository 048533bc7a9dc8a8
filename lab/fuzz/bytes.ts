/** A text whose characters are the sent bytes. */
export type Bytes = string

/** A body, or a part of one, that may be too long to write down. */
export interface Repeated {
  readonly head: Bytes
  readonly unit: Bytes
  readonly times: number
  readonly tail: Bytes
}

/** Returns the bytes of a text in UTF-8. */
export function utf8(text: string): Bytes {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function plain(head: Bytes): Repeated {
  return { head, unit: '', times: 0, tail: '' }
}

export function expand({ head, unit, times, tail }: Repeated): Buffer {
  return Buffer.from(head + unit.repeat(times) + tail, 'latin1')
}

export function lengthOf({ head, unit, times, tail }: Repeated): number {
  return head.length + unit.length * times + tail.length
}

/** Returns bytes as a shell writes them between quotes, in a format of `printf` too. */
export function toText(bytes: Bytes): string {
  return bytes.replaceAll(
    /[^ -~]|['%\\]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`,
  )
}
