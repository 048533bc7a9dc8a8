import { createUnderstudy } from '../engine/create-understudy.ts'
import type { ProcessIo } from './process-io.ts'
import { writeDemo } from './project/write-demo.ts'
import { naming, readFixtureFile } from './read-fixture.ts'
import { cannotWrite } from './write-text-file.ts'

interface DemoFlags {
  readonly out: string
  readonly fixture: string
  readonly base?: string
  readonly force?: true
}

export async function runDemoBuild(
  { out, fixture: name, base, force }: DemoFlags,
  { stdout }: ProcessIo,
): Promise<void> {
  const fixture = await readFixtureFile(name)
  naming(name, () => createUnderstudy({ fixture, clock: 'system' }).dispose())
  const { files, bytes } = await writeDemo(out, {
    fixture,
    isForced: force === true,
    ...(base !== undefined && { base }),
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.syscall === undefined ? error : cannotWrite(out, error)
  })
  stdout.write(
    `Wrote ${files.length} files, ${Math.round(bytes / 1_000)} KB, to ${out}. Any static host serves them${base === undefined ? '' : ` at ${base}`}, by HTTPS or on localhost.\n`,
  )
}
