import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './support/root.ts'
import { namesOfModule, namesOfSheet, wordsOfModule } from './support/style-names.ts'

const folder = join(root, 'panel/src')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
const textsOf = (pattern: RegExp) =>
  files
    .filter((file) => pattern.test(file))
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const)
const sheets = textsOf(/\.css$/).map(([file, text]) => ({ file, ...namesOfSheet(text) }))
const modules = textsOf(/\.tsx?$/).map(([file, text]) => ({
  file,
  ...namesOfModule(text),
  words: wordsOfModule(text),
}))

/** Names of some files that are not known, each with its file. */
function unknown(
  found: readonly { readonly file: string; readonly names: Iterable<string> }[],
  known: Iterable<string>,
): string[] {
  const all = new Set(known)
  return found.flatMap(({ file, names }) =>
    [...names].filter((name) => !all.has(name)).map((name) => `${file}: ${name}`),
  )
}

it('finds misspelt names in a sheet and in a module', () => {
  const sheet = namesOfSheet(
    '.row:hover, .sentence :is(.field, b) { --gap: 1.5px; color: var(--inc) } @media (width > 0.5em) {}',
  )
  const module = namesOfModule(
    `<i class="row"/><Link as={\`bar \${run.status}\${isOn ? ' onn' : ''}\`} style={{ '--x': 1 }} class={kind === 'fails' ? 'bad' : ''} />`,
  )

  expect(sheet).toEqual({
    classes: new Set(['row', 'sentence', 'field']),
    set: new Set(['--gap']),
    read: new Set(['--inc']),
  })
  expect(module).toEqual({
    classes: new Set(['row', 'bar', 'onn', 'bad']),
    set: new Set(['--x']),
    read: new Set(),
  })
})

it('has a rule for each class that the panel gives an element', () => {
  const known = sheets.flatMap(({ classes }) => [...classes])

  expect(known.length).toBeGreaterThan(150)
  expect(
    unknown(
      modules.map(({ file, classes }) => ({ file, names: classes })),
      known,
    ),
  ).toEqual([])
})

it('has no rule for a class that no element gets', () => {
  const given = modules.flatMap(({ words, classes }) => [...words, ...classes])

  expect(
    unknown(
      sheets.map(({ file, classes }) => ({ file, names: classes })),
      given,
    ),
  ).toEqual([])
})

it('reads tokens that are set, and sets none that nobody reads', () => {
  const all = [...sheets, ...modules]

  expect(
    unknown(
      all.map(({ file, read }) => ({ file, names: read })),
      all.flatMap(({ set }) => [...set]),
    ),
  ).toEqual([])
  expect(
    unknown(
      all.map(({ file, set }) => ({ file, names: set })),
      all.flatMap(({ read }) => [...read]),
    ),
  ).toEqual([])
})
