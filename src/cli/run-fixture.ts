import { createUnderstudy } from '../engine/create-understudy.ts'
import { fixtureJsonSchema } from '../factories/fixture-schema.ts'
import { exampleFixture } from '../fixtures/example-fixture.ts'
import { type GenerateOptions, generateFixture } from '../fixtures/generate-fixture.ts'
import { resources } from '../resources/index.ts'
import type { ProcessIo } from './process-io.ts'
import { naming, readFixtureFile } from './read-fixture.ts'
import { writeTextFile } from './write-text-file.ts'

export type GenerateFlags = GenerateOptions & { readonly out?: string }

export async function runNew(file: string, { stdout }: ProcessIo): Promise<void> {
  await writeTextFile(file, `${JSON.stringify(exampleFixture, null, 2)}\n`, true)
  stdout.write(`Wrote ${file}. Try it: understudy serve --fixture ${file} --watch\n`)
}

export async function runCheck(file: string, { stdout }: ProcessIo): Promise<void> {
  const fixture = await readFixtureFile(file)
  const { model } = naming(file, () => createUnderstudy({ fixture, clock: 'system' }))
  const counts = resources
    .filter(({ stored }) => stored !== false)
    .map(({ plural }) => `${model[plural as keyof typeof model].count()} ${plural}`)
    .join(', ')
  stdout.write(`${file} can be loaded: ${counts}.\n`)
}

export async function runGenerate(flags: GenerateFlags, { stdout }: ProcessIo): Promise<void> {
  const text = `${JSON.stringify(generateFixture(flags))}\n`
  if (flags.out === undefined) stdout.write(text)
  else await writeTextFile(flags.out, text)
}

export function runSchema({ stdout }: ProcessIo): void {
  stdout.write(`${JSON.stringify(fixtureJsonSchema(), null, 2)}\n`)
}
