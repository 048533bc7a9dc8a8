import { plainAddress, spelledEnd } from './plain-address.ts'
import { variable } from './shell.ts'

/** A path as the script writes it: a key that the run wrote by codes is one of the script's own, written in the same way. */
export function inOwnNames(path: string, names: ReadonlyMap<string, string>, prefix: string): string {
  return path.replaceAll(/(?<![^/?&=])[^/?&=%]*%[^/?&=]*/g, (part, offset: number) => {
    const plain = plainAddress(part)
    const collection = /\/\w+\/$/.exec(path.slice(0, offset))?.[0] ?? ''
    const made = names.get(plain) ?? names.get(`${collection}${plain}`)
    if (made !== undefined && part === spelledEnd(plain)) return variable(`SPELLED_${made}`)
    return made === undefined || part.includes(prefix) ? part : plain
  })
}

/** Puts variables where a text names what the script has made, and the script's own run where it names this one. */
export function renamed(text: string, names: ReadonlyMap<string, string>, prefix: string): string {
  let result = text
  const longestFirst = [...names].sort(([one], [other]) => other.length - one.length)
  for (const [value, made] of longestFirst) {
    if (/^\/\w+\/(?<!\d)\d+$/.test(value)) {
      const stem = value.replace(/(?<!\d)\d+$/, '')
      result = result.replace(new RegExp(`${value}(?=[/?]|$)`), `${stem}${variable(made)}`)
    } else result = result.replaceAll(value, variable(made))
  }
  return prefix === '' ? result : result.replaceAll(prefix, variable('RUN'))
}
