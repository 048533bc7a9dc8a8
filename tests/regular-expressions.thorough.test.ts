import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { analyse } from 'scslre'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { isObject } from '../src/shared/values.ts'
import { root } from './support/root.ts'

/** Expressions that may backtrack, with the reason why no text makes them slow. */
const exceptions: Readonly<Record<string, string>> = {
  'src/factories/search.ts: /\\w+:"[^"]*"|"[^"]*"|\\S+/g':
    'It reads at most as many characters as `search` of the limits.',
}

/** A regular expression that is written in a file. */
interface Written {
  readonly pattern: string
  readonly flags: string
}

it.each(['src', 'contract-tests'])(
  'has no regular expression in %s that backtracks more than linearly',
  (folder) => {
    const found = expressionsBelow(folder)
    const slow = found
      .filter(({ expression }) => isSlow(expression))
      .map(({ file, expression }) => `${file}: /${expression.pattern}/${expression.flags}`)

    expect(found.length).toBeGreaterThan(80)
    expect(slow.filter((each) => exceptions[each] === undefined)).toEqual([])
    expect(
      Object.keys(exceptions).filter((each) => each.startsWith(`${folder}/`) && !slow.includes(each)),
    ).toEqual([])
  },
)

it.each(['src', 'contract-tests'])('repeats nothing in %s with a minimum and without an end', (folder) => {
  // The engine stores each repetition of `x{3,}`: a long word exhausts the stack. `x{3}x*` does not.
  const found = expressionsBelow(folder).filter(({ expression }) => /\{\d+,\}/.test(expression.pattern))

  expect(found).toEqual([])
})

it.each([
  ['nested repetition', /^(?:a+)+$/],
  ['adjacent repetition', /\s*\w*\s*\s*=/],
  ['adjacent bounded repetition', /\s{0,99}[\s"]{0,99}:/],
  ['an end that is looked for from everywhere', /\/+$/],
  ['a prefix that the repetition behind it contains', /eyJ[\w-]+\./],
])('finds %s', (_, { source, flags }) => {
  expect(isSlow({ pattern: source, flags })).toBe(true)
})

function expressionsBelow(folder: string): { readonly file: string; readonly expression: Written }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('tests/'))
    .map((file) => `${folder}/${file}`)
    .flatMap((file) => expressionsIn(file).map((expression) => ({ file, expression })))
}

/** Returns whether a text makes an expression take more than linear time; long bounds count as none. */
function isSlow({ pattern, flags }: Written): boolean {
  const unbounded = pattern.replaceAll(/\{(\d+),(\d+)\}/g, (bounds, least: string, most: string) =>
    Number(most) < 10 ? bounds : Number(least) === 0 ? '*' : '+',
  )
  return analyse({ source: withoutPrefix(unbounded), flags }, { maxReports: 1 }).reports.length > 0
}

/** Removes a prefix that the repetition behind it contains: the engine tries each of many prefixes, too. */
function withoutPrefix(pattern: string): string {
  const { prefix, set } = /^(?<prefix>\w+)(?<set>\[[^\]]+\]|\\w)[+*]/.exec(pattern)?.groups ?? {}
  return prefix !== undefined && new RegExp(`^${set}+$`).test(prefix) ? pattern.slice(prefix.length) : pattern
}

function expressionsIn(file: string): Written[] {
  const program: unknown = parseAst(readFileSync(join(root, file), 'utf8'), {
    lang: file.endsWith('tsx') ? 'tsx' : 'ts',
  })
  return [...expressionsOf(program)]
}

function* expressionsOf(node: unknown): Iterable<Written> {
  if (Array.isArray(node)) {
    for (const each of node) yield* expressionsOf(each)
  } else if (isObject(node)) {
    const { regex } = node
    if (isObject(regex)) yield { pattern: String(regex.pattern), flags: String(regex.flags) }
    for (const each of Object.values(node)) yield* expressionsOf(each)
  }
}
