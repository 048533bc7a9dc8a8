import type { Command } from 'commander'
import { wholeNumber } from './options.ts'
import type { GenerateFlags } from './run-fixture.ts'

/** Adds `understudy fixture new|check|generate|schema`. */
export function addFixtureCommand(program: Command): void {
  const fixture = program.command('fixture').description('write, check or generate a start state')
  fixture
    .command('new')
    .argument('<file>')
    .description('write a small fixture to begin with')
    .action(async (file: string) => (await run()).runNew(file))
  fixture
    .command('check')
    .argument('<file>')
    .description('say whether a fixture can be loaded')
    .action(async (file: string) => (await run()).runCheck(file))
  fixture
    .command('generate')
    .description('print a fixture of any volume')
    .option('--pipelines <number>', 'how many pipelines', wholeNumber(1, 100_000), 500)
    .option('--backfills <number>', 'how many backfills', wholeNumber(0, 1_000_000), 1_000)
    .option('--seed <number>', 'the same seed gives the same fixture', wholeNumber(0, 2 ** 31), 1)
    .option('--out <file>', 'a file instead of standard output')
    .action(async (flags: GenerateFlags) => (await run()).runGenerate(flags))
  fixture
    .command('schema')
    .description('print the JSON Schema of a fixture, for editors')
    .action(async () => (await run()).runSchema())
}

/** What the commands do, loaded when one of them is chosen: `serve` starts without it. */
const run = () => import('./run-fixture.ts')
