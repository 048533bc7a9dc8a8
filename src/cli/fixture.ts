import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { createUnderstudy } from '../engine/create-understudy.ts'
import { fixtureJsonSchema } from '../factories/fixture-schema.ts'
import { generateFixture } from '../fixtures/generate-fixture.ts'
import { wholeNumber } from './options.ts'
import { naming, readFixtureFile } from './read-fixture.ts'

/** Adds `understudy fixture new|check|generate|schema`. */
export function addFixtureCommand(program: Command): void {
  const fixture = program.command('fixture').description('write, check or generate a start state')
  fixture.command('new').argument('<file>').description('write a small fixture to begin with').action(runNew)
  fixture
    .command('check')
    .argument('<file>')
    .description('say whether a fixture can be loaded')
    .action(runCheck)
  fixture
    .command('generate')
    .description('print a fixture of any volume')
    .option('--pipelines <number>', 'how many pipelines', wholeNumber(1, 100_000), 500)
    .option('--backfills <number>', 'how many backfills', wholeNumber(0, 1_000_000), 1_000)
    .option('--seed <number>', 'the same seed gives the same fixture', wholeNumber(0, 2 ** 31), 1)
    .option('--out <file>', 'a file instead of standard output')
    .action(runGenerate)
  fixture
    .command('schema')
    .description('print the JSON Schema of a fixture, for editors')
    .action(() => void process.stdout.write(`${JSON.stringify(fixtureJsonSchema(), null, 2)}\n`))
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

async function runNew(file: string): Promise<void> {
  await writeFile(file, `${JSON.stringify(example, null, 2)}\n`, { flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new Error(
        error.code === 'EEXIST' ? `${file} exists already; choose another name.` : error.message,
      )
    },
  )
  process.stdout.write(`Wrote ${file}. Try it: understudy serve --fixture ${file} --watch\n`)
}

async function runCheck(file: string): Promise<void> {
  const fixture = await readFixtureFile(file)
  const { model } = naming(file, () => createUnderstudy({ fixture, clock: 'system' }))
  const counts = (
    ['pipelines', 'blocks', 'pipeline_schedules', 'backfills', 'pipeline_runs', 'logs', 'users'] as const
  )
    .map((plural) => `${model[plural].count()} ${plural}`)
    .join(', ')
  process.stdout.write(`${file} can be loaded: ${counts}.\n`)
}

async function runGenerate(flags: {
  pipelines: number
  backfills: number
  seed: number
  out?: string
}): Promise<void> {
  const text = `${JSON.stringify(generateFixture(flags))}\n`
  if (flags.out === undefined) process.stdout.write(text)
  else await writeFile(flags.out, text)
}
