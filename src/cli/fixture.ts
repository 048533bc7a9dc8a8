import type { Command } from '@commander-js/extra-typings'
import { createUnderstudy } from '../engine/create-understudy.ts'
import { fixtureJsonSchema } from '../factories/fixture-schema.ts'
import { exampleFixture } from '../fixtures/example-fixture.ts'
import { type GenerateOptions, generateFixture } from '../fixtures/generate-fixture.ts'
import { volumes } from '../fixtures/volumes.ts'
import { resources } from '../resources/index.ts'
import { writeTextFile } from './files.ts'
import { wholeNumber } from './options.ts'
import type { ProcessIo } from './process-io.ts'
import { naming, readFixtureFile } from './read-fixture.ts'

/** Adds `fixture new|check|generate|schema`. */
export function addCommand(program: Command, { stdout }: ProcessIo): void {
  const fixture = program.command('fixture').description('create, check or generate a fixture (initial data)')
  fixture
    .command('new')
    .argument('<file>')
    .description('write a small example fixture')
    .action(async (file) => {
      await writeTextFile(file, `${JSON.stringify(exampleFixture, null, 2)}\n`, true)
      stdout.write(`Wrote ${file}. Try it: pipeline-understudy serve --fixture ${file} --watch\n`)
    })
  fixture
    .command('check')
    .argument('<file>')
    .description('check that a fixture can be loaded')
    .action(async (file) => void stdout.write(`${file} can be loaded: ${await countRecords(file)}.\n`))
  const generate = fixture.command('generate').description('print a fixture of any size')
  for (const [plural, { least, most, usual }] of Object.entries(volumes)) {
    generate.option(`--${plural} <number>`, `number of ${plural}`, wholeNumber(least, most), usual)
  }
  generate
    .option('--seed <number>', 'the same seed generates the same fixture', wholeNumber(0, 2 ** 31), 1)
    .option('--out <file>', 'write to a file instead of standard output')
    .action(async ({ out, ...options }) => {
      // The types of commander do not know options that are added in a loop.
      const text = `${JSON.stringify(generateFixture(options as GenerateOptions))}\n`
      if (out === undefined) stdout.write(text)
      else await writeTextFile(out, text)
    })
  fixture
    .command('schema')
    .description('print the JSON Schema of fixtures, for editors')
    .action(() => void stdout.write(`${JSON.stringify(fixtureJsonSchema(), null, 2)}\n`))
}

/** Loads a fixture and returns its record count per resource. */
async function countRecords(file: string): Promise<string> {
  const fixture = await readFixtureFile(file)
  const { model } = naming(file, () => createUnderstudy({ fixture, clock: 'system' }))
  return resources
    .filter(({ stored }) => stored !== false)
    .map(({ plural }) => `${model[plural as keyof typeof model].count()} ${plural}`)
    .join(', ')
}
