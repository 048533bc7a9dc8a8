import { join } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import { createUnderstudy } from '../engine/create-understudy.ts'
import { cannotWrite } from './files.ts'
import type { ProcessIo } from './process-io.ts'
import { writeDemo } from './project/write-demo.ts'
import { naming, packageFolder, readFixtureFile } from './read-fixture.ts'

/** Adds `understudy demo build`. */
export function addCommand(program: Command, { stdout }: ProcessIo): void {
  program
    .command('demo')
    .description('write a live demo that needs no server')
    .command('build')
    .description(
      'write a folder for a static host: an app, the panel beside it, and an understudy in the page',
    )
    .requiredOption('--out <folder>', 'new or empty')
    .option('--fixture <file>', 'what it begins with: demo, empty or a JSON file', 'demo')
    .option('--base <path>', 'where it is served, such as /demo/; default: any path that ends with a slash')
    .option('--force', 'replace a demo that is in the folder')
    .action(async ({ out, fixture: name, base, force: isForced = false }) => {
      const fixture = await readFixtureFile(name)
      naming(name, () => createUnderstudy({ fixture, clock: 'system' }).dispose())
      const built = join(packageFolder(), 'dist')
      const options = { built, fixture, isForced, ...(base !== undefined && { base }) }
      const { files, bytes } = await writeDemo(out, options).catch((error: NodeJS.ErrnoException) => {
        throw error.syscall === undefined ? error : cannotWrite(out, error)
      })
      stdout.write(
        `Wrote ${files.length} files, ${Math.round(bytes / 1_000)} KB, to ${out}. Any static host serves them${base === undefined ? '' : ` at ${base}`}, by HTTPS or on localhost.\n`,
      )
    })
}
