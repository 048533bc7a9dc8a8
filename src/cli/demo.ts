import { join } from 'node:path'
import type { Command } from '@commander-js/extra-typings'
import { createUnderstudy } from '../engine/create-understudy.ts'
import { packageFolder } from '../files/package-folder.ts'
import { cannotWrite } from '../files/write-file.ts'
import { naming } from './naming.ts'
import { print } from './output.ts'
import type { ProcessIo } from './process-io.ts'
import { writeDemo } from './project/write-demo.ts'
import { readFixtureFile } from './read-fixture.ts'

/** Adds the command `demo` to the program. */
export function addCommand(program: Command, io: ProcessIo): void {
  program
    .command('demo')
    .description('build a live demo that needs no server')
    .command('build')
    .description('write a static site with an example app, the panel and the mock')
    .requiredOption('--out <folder>', 'output folder, new or empty')
    .option('--fixture <file>', 'initial data: demo, empty or a JSON file', 'demo')
    .option('--base <path>', 'URL path of the site, such as /demo/ (default: any)')
    .option('--force', 'replace an existing demo in the folder')
    .action(async ({ out, fixture: name, base, force: isForced = false }) => {
      const fixture = readFixtureFile(name)
      await naming({ fixture: name }, () => createUnderstudy({ fixture, clock: 'system' }).dispose())
      const built = join(packageFolder(), 'dist')
      const options = { built, fixture, isForced, ...(base !== undefined && { base }) }
      const { files, bytes } = await writeDemo(out, options).catch((error: NodeJS.ErrnoException) => {
        throw error.syscall === undefined ? error : cannotWrite(out, error)
      })
      print(
        io,
        `Wrote ${files.length} files, ${Math.round(bytes / 1_000)} KB, to ${out}. Any static host serves them${base === undefined ? '' : ` at ${base}`}, by HTTPS or on localhost.`,
      )
    })
}
