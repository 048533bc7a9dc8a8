import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compileCopy } from './support/compile-copy.ts'

const schema = `import * as z from 'zod/mini'
import { id, nonEmptyText } from '../attributes.ts'

export const attributes = z.object({ id, name: nonEmptyText, pipeline_uuid: z.string() })
export const references = { pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete' } } as const
`

it('reports each place where a new resource must be added, and no other', async () => {
  const errors = await compileCopy(async (folder) => {
    await mkdir(join(folder, 'src/resources/team'))
    await writeFile(join(folder, 'src/resources/team/schema.ts'), schema)
    const records = join(folder, 'src/resources/records.ts')
    const text = await readFile(records, 'utf8')
    await writeFile(
      records,
      text
        .replace('import type * as users', "import type * as teams from './team/schema.ts'\n$&")
        .replace('  users: typeof users\n', '$&  teams: typeof teams\n'),
    )
  })

  const messages = errors.map(([first]) =>
    /^(\S+?)\(.*?(error TS\d+: .{0,40})/
      .exec(first ?? '')
      ?.slice(1)
      .join(': '),
  )

  expect(messages).toEqual([
    "src/resources/index.ts: error TS2741: Property 'teams' is missing in type '{ u",
    "src/resources/notes.ts: error TS2741: Property 'teams' is missing in type '{ b",
    // It belongs to a pipeline, whose uuid may change.
    "src/resources/pipeline/rename.ts: error TS2741: Property 'teams' is missing in type 'rea",
  ])
})
