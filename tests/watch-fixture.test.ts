import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { versionOf } from '../src/cli/read-fixture.ts'
import { watchFixture } from '../src/cli/watch-fixture.ts'
import { createUnderstudy } from '../src/index.ts'

it('loads a fixture that has changed after it was read and before it was watched', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-watch-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'fixture.json')
  await writeFile(file, '{"pipelines":[{"name":"read"}]}')
  const readVersion = await versionOf(file)
  const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'read' }] } })
  await writeFile(file, '{"pipelines":[{"name":"written"}]}')

  const said = await new Promise((resolve) => {
    watchFixture(file, readVersion, understudy, 'main', (event, text) => resolve([event, text]))
  })

  expect(said).toEqual(['loaded', `Loaded ${file} again.`])
  expect(understudy.model.pipelines.all().map(({ uuid }) => uuid)).toEqual(['written'])
})

it('leaves a fixture alone that is as it was read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-watch-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'fixture.json')
  await writeFile(file, '{"pipelines":[{"name":"read"}]}')
  const understudy = createUnderstudy()
  const said: string[] = []
  watchFixture(file, await versionOf(file), understudy, 'main', (event) => said.push(event))
  await new Promise((resolve) => setTimeout(resolve, 300))

  expect(said).toEqual([])
})
