import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { createUnderstudy } from '../engine/create-understudy.ts'
import { fixtureJsonSchema } from '../factories/fixture-schema.ts'
import { exampleFixture } from '../fixtures/example-fixture.ts'
import { type GenerateOptions, generateFixture, volumes } from '../fixtures/generate-fixture.ts'
import { resources } from '../resources/index.ts'
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
  const generate = fixture.command('generate').description('print a fixture of any volume')
  for (const [plural, { least, most, usual }] of Object.entries(volumes)) {
    generate.option(`--${plural} <number>`, `how many ${plural}`, wholeNumber(least, most), usual)
  }
  generate
    .option('--seed <number>', 'the same seed gives the same fixture', wholeNumber(0, 2 ** 31), 1)
    .option('--out <file>', 'a file instead of standard output')
    .action(runGenerate)
  fixture
    .command('schema')
    .description('print the JSON Schema of a fixture, for editors')
    .action(() => void process.stdout.write(`${JSON.stringify(fixtureJsonSchema(), null, 2)}\n`))
}

async function runNew(file: string): Promise<void> {
  await writeFile(file, `${JSON.stringify(exampleFixture, null, 2)}\n`, { flag: 'wx' }).catch(
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
  const counts = resources
    .filter(({ stored }) => stored !== false)
    .map(({ plural }) => `${model[plural as keyof typeof model].count()} ${plural}`)
    .join(', ')
  process.stdout.write(`${file} can be loaded: ${counts}.\n`)
}

async function runGenerate(flags: GenerateOptions & { readonly out?: string }): Promise<void> {
  const text = `${JSON.stringify(generateFixture(flags))}\n`
  if (flags.out === undefined) process.stdout.write(text)
  else await writeFile(flags.out, text)
}
