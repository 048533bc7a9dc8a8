import type { Command } from '@commander-js/extra-typings'
import { createUnderstudy } from '../engine/create-understudy.ts'
import { fixtureJsonSchema } from '../factories/fixture-schema.ts'
import { writeUserFile } from '../files/write-file.ts'
import { type GenerateOptions, generateFixture } from '../fixtures/generate-fixture.ts'
import { volumes } from '../fixtures/volumes.ts'
import { resources } from '../resources/index.ts'
import { naming } from './naming.ts'
import { wholeNumber } from './options.ts'
import { print } from './output.ts'
import type { ProcessIo } from './process-io.ts'
import { fillTemplate } from './project/templates.ts'
import { readFixtureFile } from './read-fixture.ts'

/** Adds the command `fixture` to the program. */
export function addCommand(program: Command, io: ProcessIo): void {
  const fixture = program.command('fixture').description('create, check or generate a fixture (initial data)')
  fixture
    .command('new')
    .argument('<file>')
    .description('write a small example fixture')
    .action((file) => {
      writeUserFile(file, fillTemplate('fixture', { toRoot: './' }), { isNew: true })
      print(io, `Wrote ${file}. Try it: pipeline-understudy serve --fixture ${file} --watch`)
    })
  fixture
    .command('check')
    .argument('<file>')
    .description('check a fixture for errors')
    .action(async (file) => print(io, `${file} can be loaded: ${await countRecords(file)}.`))
  const generate = fixture.command('generate').description('print a fixture of any size')
  for (const [plural, { least, most, usual }] of Object.entries(volumes)) {
    generate.option(`--${plural} <number>`, `number of ${plural}`, wholeNumber(least, most), usual)
  }
  generate
    .option('--seed <number>', 'the same seed generates the same fixture', wholeNumber(0, 2 ** 31), 1)
    .option('--out <file>', 'write to a file instead of standard output')
    .action(({ out, ...options }) => {
      // The types of commander ignore options from a loop.
      const text = `${JSON.stringify(generateFixture(options as GenerateOptions))}\n`
      if (out === undefined) print(io, text)
      else writeUserFile(out, text)
    })
  fixture
    .command('schema')
    .description('print the JSON Schema of fixtures, for editors')
    .action(() => print(io, JSON.stringify(fixtureJsonSchema(), null, 2)))
}

async function countRecords(file: string): Promise<string> {
  const fixture = readFixtureFile(file)
  const { model } = await naming({ fixture: file }, () => createUnderstudy({ fixture, clock: 'system' }))
  return resources
    .filter(({ stored }) => stored !== false)
    .map(({ plural }) => `${model[plural as keyof typeof model].count()} ${plural}`)
    .join(', ')
}
