import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compileCopy } from './support/compile-copy.ts'
import { root } from './support/root.ts'

it('reports each misspelt name in at most five lines, and no other error', async () => {
  const text = await readFile(join(root, 'tests/types.test-d.ts'), 'utf8')
  const typos = text.match(/@ts-expect-error/g) ?? []
  const errors = await compileCopy((folder) =>
    writeFile(
      join(folder, 'src/types.test-d.ts'),
      text.replaceAll(/ *\/\/ @ts-expect-error.*\n/g, '').replaceAll("'../src/", "'./"),
    ),
  )

  expect(typos.length).toBeGreaterThan(70)
  expect(errors.length).toBeGreaterThanOrEqual(typos.length)
  expect(errors.filter((lines) => lines.length > 5)).toEqual([])
  expect(errors.filter(([first]) => !first?.startsWith('src/types.test-d.ts'))).toEqual([])
})

it('reports a misspelt name in a row of the table once', async () => {
  const errors = await compileCopy(async (folder) => {
    const row = join(folder, 'src/resources/block/block.ts')
    const text = await readFile(row, 'utf8')
    await writeFile(row, text.replace("displayName: 'name'", "displayName: 'nmae'"))
  })

  expect(errors.map(([first]) => first?.replace(/\(.*/, ''))).toEqual(['src/resources/block/block.ts'])
  expect(errors.flat().join('\n')).toContain('unknownName: "nmae"')
})
