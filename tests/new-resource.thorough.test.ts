import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { root } from './support/root.ts'

const schema = `import * as z from 'zod/mini'
import { id, nonEmptyText } from '../attributes.ts'

export const attributes = z.object({ id, name: nonEmptyText, pipeline_uuid: z.string() })
export const references = { pipeline_uuid: { plural: 'pipelines', whenDeleted: 'delete' } } as const
`

/** Files of the compiler's errors, each with its line and message. */
async function errorsIn(folder: string): Promise<string[]> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const compiled = promisify(execFile)(process.execPath, [tsc, '--noEmit', '--pretty', 'false'], {
    cwd: folder,
  })
  const { stdout } = await compiled.catch((error: { stdout: string }) => error)
  return stdout.split('\n').flatMap((line) => /^(\S+?)\(.*?error TS\d+: .{0,40}/.exec(line)?.[0] ?? [])
}

it('asks for each place where a new resource must be named, and says nothing of any other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-resource-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const name of [
    'src',
    'panel',
    'tests',
    'contract-tests',
    'fixtures',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
  ])
    await cp(join(root, name), join(folder, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
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

  expect((await errorsIn(folder)).map((error) => error.replace(/\(.*?\)/, ''))).toEqual([
    "src/resources/index.ts: error TS2741: Property 'teams' is missing in type '{ u",
    "src/resources/notes.ts: error TS2741: Property 'teams' is missing in type '{ b",
    // It stands in a pipeline, whose uuid may change.
    "src/resources/pipeline/rename.ts: error TS2741: Property 'teams' is missing in type 'rea",
  ])
})
