import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compileCopy } from './support/compile-copy.ts'
import { root } from './support/root.ts'

it('reports each misspelt name in at most five lines, one in a row of the table once, and no other error', async () => {
  const text = await readFile(join(root, 'tests/types.test-d.ts'), 'utf8')
  const typos = text.match(/@ts-expect-error/g) ?? []
  const errors = await compileCopy(async (folder) => {
    await writeFile(
      join(folder, 'src/types.test-d.ts'),
      text.replaceAll(/ *\/\/ @ts-expect-error.*\n/g, '').replaceAll("'../src/", "'./"),
    )
    const row = join(folder, 'src/resources/block/block.ts')
    const block = await readFile(row, 'utf8')
    await writeFile(row, block.replace("displayName: 'name'", "displayName: 'nmae'"))
  })
  const isOfTypeTest = ([first]: readonly string[]) => first?.startsWith('src/types.test-d.ts')

  expect(typos.length).toBeGreaterThan(70)
  expect(errors.filter(isOfTypeTest).length).toBeGreaterThanOrEqual(typos.length)
  expect(errors.filter((lines) => lines.length > 5)).toEqual([])
  expect(errors.filter((lines) => !isOfTypeTest(lines)).map((lines) => lines.join('\n'))).toEqual([
    expect.stringMatching(/^src\/resources\/block\/block\.ts\([\s\S]*unknownName: "nmae"/),
  ])
})
