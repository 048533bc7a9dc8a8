import type { Command } from '@commander-js/extra-typings'
import type { ProcessIo } from './process-io.ts'

/** Adds `understudy demo build`. */
export function addDemoCommand(program: Command, _: readonly string[], io: ProcessIo): void {
  const demo = program.command('demo').description('write a live demo that needs no server')
  demo
    .command('build')
    .description(
      'write a folder for a static host: an app, the panel beside it, and an understudy in the page',
    )
    .requiredOption('--out <folder>', 'new or empty')
    .option('--fixture <file>', 'what it begins with: demo, empty or a JSON file', 'demo')
    .option('--base <path>', 'where it is served, such as /demo/; default: any path that ends with a slash')
    .option('--force', 'replace a demo that is in the folder')
    .action(async (flags) => (await import('./run-demo.ts')).runDemoBuild(flags, io))
}
