import { execFileSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startWatch, watchFixture } from '../src/cli/watch-fixture.ts'
import { createUnderstudy } from '../src/index.ts'
import { makeFolder } from './support/temporary.ts'

it('loads a fixture that has changed after it was read and before it was watched', async () => {
  const folder = makeFolder()
  const file = join(folder, 'fixture.json')
  await writeFile(file, '{"pipelines":[{"name":"read"}]}')
  const watched = await startWatch(file)
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'read' }] } })
  await writeFile(file, '{"pipelines":[{"name":"written"}]}')

  const reported = await new Promise((resolve) => {
    watchFixture(watched, understudy, (event, text) => resolve([event, text]))
  })

  expect(reported).toEqual(['loaded', `Reloaded ${file}.`])
  expect(understudy.model.pipelines.all().map(({ uuid }) => uuid)).toEqual(['written'])
})

it('reports a pipe in place of a fixture, and loads the next file', async () => {
  const folder = makeFolder()
  const file = join(folder, 'fixture.json')
  execFileSync('mkfifo', [file])
  const understudy = createUnderstudy()
  const reported: string[] = []
  const bothReports = new Promise<void>((resolve) => {
    watchFixture({ name: file, version: 'nothing' }, understudy, (_, text) => {
      if (reported.push(text) === 2) resolve()
    })
  })
  await expect.poll(() => reported).toHaveLength(1)
  await rm(file)
  await writeFile(file, '{"pipelines":[{"name":"written"}]}')
  await bothReports

  expect(reported).toEqual([
    expect.stringContaining(`Cannot read the fixture ${file}: it is a pipe, a socket or a device,`),
    `Reloaded ${file}.`,
  ])
})

it('leaves a fixture alone that is as it was read', async () => {
  const folder = makeFolder()
  const file = join(folder, 'fixture.json')
  await writeFile(file, '{"pipelines":[{"name":"read"}]}')
  const understudy = createUnderstudy()
  const reported: string[] = []
  watchFixture(await startWatch(file), understudy, (event) => reported.push(event))
  await new Promise((resolve) => setTimeout(resolve, 300))

  expect(reported).toEqual([])
})
