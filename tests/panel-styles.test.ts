import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from './support/root.ts'
import { namesOfModule, namesOfSheet, wordsOfModule } from './support/style-names.ts'

/** Returns the texts of files in a folder. */
function textsOf(folder: string, pattern: RegExp): { readonly file: string; readonly text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => pattern.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, folder, file), 'utf8') }))
}

/** Returns the names in files that are not known, each with its file. */
function unknown<Found extends { readonly file: string }>(
  found: readonly Found[],
  namesOf: (each: Found) => Iterable<string>,
  known: Iterable<string>,
): string[] {
  const all = new Set(known)
  return found.flatMap((each) =>
    [...namesOf(each)].filter((name) => !all.has(name)).map((name) => `${each.file}: ${name}`),
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

describe.each([
  ['panel/src', 150],
  ['panel/demo', 5],
])('the styles in %s', (folder, fewest) => {
  const sheetsIn = (place: string) =>
    textsOf(place, /\.css$/).map(({ file, text }) => ({ file, ...namesOfSheet(text) }))
  const sheets = sheetsIn(folder)
  // The demo imports sheets of the panel.
  const imported = folder === 'panel/demo' ? sheetsIn('panel/src') : []
  const modules = textsOf(folder, /\.(?:tsx?|html)$/).map(({ file, text }) => ({
    file,
    words: wordsOfModule(text),
    ...namesOfModule(text),
  }))

  it('have a rule for each class that an element gets', () => {
    const known = [...sheets, ...imported].flatMap(({ classes }) => [...classes])

    expect(known.length).toBeGreaterThan(fewest)
    expect(unknown(modules, ({ classes }) => classes, known)).toEqual([])
  })

  it('have no rule for a class that no element gets', () => {
    const given = modules.flatMap(({ words, classes }) => [...words, ...classes])

    expect(unknown(sheets, ({ classes }) => classes, given)).toEqual([])
  })

  it('read tokens that are set, and set none that nobody reads', () => {
    const all = [...sheets, ...modules]
    const isSet = [...all, ...imported].flatMap(({ set }) => [...set])
    const isRead = all.flatMap(({ read }) => [...read])

    expect(unknown(all, ({ read }) => read, isSet)).toEqual([])
    expect(unknown(all, ({ set }) => set, isRead)).toEqual([])
  })
})
