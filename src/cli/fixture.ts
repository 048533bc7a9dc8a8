import type { Command } from '@commander-js/extra-typings'
import { volumes } from '../fixtures/volumes.ts'
import { wholeNumber } from './options.ts'
import type { ProcessIo } from './process-io.ts'
import type { GenerateFlags } from './run-fixture.ts'

/** Adds `understudy fixture new|check|generate|schema`. */
export function addFixtureCommand(program: Command, _: readonly string[], io: ProcessIo): void {
  const fixture = program.command('fixture').description('write, check or generate a start state')
  fixture
    .command('new')
    .argument('<file>')
    .description('write a small fixture to begin with')
    .action(async (file: string) => (await run()).runNew(file, io))
  fixture
    .command('check')
    .argument('<file>')
    .description('say whether a fixture can be loaded')
    .action(async (file: string) => (await run()).runCheck(file, io))
  const generate = fixture.command('generate').description('print a fixture of any volume')
  for (const [plural, { least, most, usual }] of Object.entries(volumes)) {
    generate.option(`--${plural} <number>`, `how many ${plural}`, wholeNumber(least, most), usual)
  }
  generate
    .option('--seed <number>', 'the same seed gives the same fixture', wholeNumber(0, 2 ** 31), 1)
    .option('--out <file>', 'a file instead of standard output')
    // The types know no option that is added in a loop.
    .action(async (flags) => (await run()).runGenerate(flags as GenerateFlags, io))
  fixture
    .command('schema')
    .description('print the JSON Schema of a fixture, for editors')
    .action(async () => (await run()).runSchema(io))
}

/** What the commands do, loaded when one of them is chosen: `serve` starts without it. */
const run = () => import('./run-fixture.ts')
