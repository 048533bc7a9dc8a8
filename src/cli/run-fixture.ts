import { writeFile } from 'node:fs/promises'
import { createUnderstudy } from '../engine/create-understudy.ts'
import { fixtureJsonSchema } from '../factories/fixture-schema.ts'
import { generateFixture } from '../fixtures/generate-fixture.ts'
import { naming, readFixtureFile } from './read-fixture.ts'

export interface GenerateFlags {
  readonly pipelines: number
  readonly backfills: number
  readonly seed: number
  readonly out?: string
}

const example = {
  $schema: './node_modules/pipeline-understudy/fixtures/fixture.schema.json',
  users: [{ email: 'me@example.com', password: 'secret' }],
  api_keys: ['my-key'],
  pipelines: [
    {
      name: 'daily sales',
      type: 'python',
      blocks: [
        { name: 'load orders', type: 'data_loader' },
        { name: 'sum up', type: 'transformer', upstream_blocks: ['load_orders'] },
      ],
    },
  ],
  pipeline_schedules: [{ pipeline_uuid: 'daily_sales', name: 'every night', tags: ['nightly'] }],
  backfills: [{ pipeline_uuid: 'daily_sales', status: 'completed', created_at: '-2d' }],
}

export async function runNew(file: string): Promise<void> {
  await writeFile(file, `${JSON.stringify(example, null, 2)}\n`, { flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new Error(
        error.code === 'EEXIST' ? `${file} exists already; choose another name.` : error.message,
      )
    },
  )
  process.stdout.write(`Wrote ${file}. Try it: understudy serve --fixture ${file} --watch\n`)
}

export async function runCheck(file: string): Promise<void> {
  const fixture = await readFixtureFile(file)
  const { model } = naming(file, () => createUnderstudy({ fixture, clock: 'system' }))
  const counts = (
    ['pipelines', 'blocks', 'pipeline_schedules', 'backfills', 'pipeline_runs', 'logs', 'users'] as const
  )
    .map((plural) => `${model[plural].count()} ${plural}`)
    .join(', ')
  process.stdout.write(`${file} can be loaded: ${counts}.\n`)
}

export async function runGenerate(flags: GenerateFlags): Promise<void> {
  const text = `${JSON.stringify(generateFixture(flags))}\n`
  if (flags.out === undefined) process.stdout.write(text)
  else await writeFile(flags.out, text)
}

export function runSchema(): void {
  process.stdout.write(`${JSON.stringify(fixtureJsonSchema(), null, 2)}\n`)
}
