import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runServe } from './support/run-serve.ts'
import { makeFolder } from './support/temporary.ts'

const fixtureOf = (name: string, more = {}) => JSON.stringify({ pipelines: [{ name, ...more }] })

/** Returns the uuids of the pipelines of a world. */
async function pipelinesAt(url: string, world = 'main'): Promise<string[]> {
  const reply = await fetch(`${url}/api/pipelines`, { headers: { 'x-understudy-world': world } })
  return ((await reply.json()) as { pipelines: { uuid: string }[] }).pipelines.map(({ uuid }) => uuid)
}

/** Waits until the main world has this pipeline and no other. */
const expectPipeline = (url: string, name: string) =>
  expect.poll(() => pipelinesAt(url), { interval: 10 }).toEqual([name])

/** Serves a fixture with one pipeline, "one", and watches its file. */
async function watch(...flags: string[]) {
  const file = join(makeFolder(), 'fixture.json')
  await writeFile(file, fixtureOf('one'))
  return { file, ...(await runServe(['--fixture', file, ...(flags.length > 0 ? flags : ['--watch'])])) }
}

it('reloads the fixture when its file changes, and leaves the state unchanged when it is broken', async () => {
  const { file, url, text } = await watch()
  const output = () => text.out + text.err
  await writeFile(file, fixtureOf('two'))
  await expectPipeline(url, 'two')
  await expect.poll(output).toContain(`Reloaded ${file}.`)

  await writeFile(file, fixtureOf('three', { type: 'ruby' }))
  await expect.poll(output).toMatch(/is broken at \$\.pipelines\[0\]\.type: .* The state is unchanged\./)
  expect(await pipelinesAt(url)).toEqual(['two'])
  await writeFile(file, '')
  await expect.poll(output).toMatch(/it is not valid JSON.* The state is unchanged\./)

  await writeFile(file, fixtureOf('four'))
  await expectPipeline(url, 'four')
})

it('follows a fixture through links whose folders are replaced, as Kubernetes mounts a ConfigMap', async () => {
  const folder = makeFolder()
  const publish = async (version: string) => {
    await mkdir(join(folder, version))
    await writeFile(join(folder, version, 'fixture.json'), fixtureOf(version))
    await symlink(version, join(folder, '..data_new'))
    await rename(join(folder, '..data_new'), join(folder, '..data'))
  }
  await publish('one')
  await symlink('..data/fixture.json', join(folder, 'fixture.json'))
  const { url } = await runServe(['--fixture', join(folder, 'fixture.json'), '--watch'])

  for (const version of ['two', 'three']) {
    await publish(version)
    await expectPipeline(url, version)
  }
})

it('reloads a fixture whose whole folder is replaced', async () => {
  const folder = makeFolder()
  for (const [name, pipeline] of [['current', 'one'] as const, ['next', 'two'] as const]) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'fixture.json'), fixtureOf(pipeline))
  }
  const { url } = await runServe(['--fixture', join(folder, 'current/fixture.json'), '--watch'])
  await rename(join(folder, 'current'), join(folder, 'old'))
  await rename(join(folder, 'next'), join(folder, 'current'))

  await expectPipeline(url, 'two')
})

it('reloads a fixture each time an editor replaces its file', async () => {
  const { file, url } = await watch()
  for (const name of ['two', 'three', 'four']) {
    await writeFile(`${file}.swp`, fixtureOf(name))
    await rename(`${file}.swp`, file)
    await expectPipeline(url, name)
  }
})

it('logs that other worlds are not reloaded', async () => {
  const { file, url, text } = await watch()
  const headers = { 'content-type': 'application/json', 'x-understudy-world': 'alice' }
  const body = JSON.stringify({ pipeline: { name: 'hers', type: 'python' } })
  await fetch(`${url}/api/pipelines`, { method: 'POST', headers, body })
  await writeFile(file, fixtureOf('two'))
  await expect.poll(() => text.out).toMatch(/ Unchanged other worlds: 1\./)

  expect(await pipelinesAt(url)).toEqual(['two'])
  expect((await pipelinesAt(url, 'alice')).sort()).toEqual(['hers', 'one'])
})

it('writes only lines of JSON with --json', async () => {
  const { file, url, text, lines } = await watch('--watch', '--json')
  await fetch(`${url}/api/pipelines/one`)
  await fetch(`${url}/api/pipelines/two`)
  await writeFile(file, fixtureOf('two'))
  await expect.poll(() => text.out).toContain('Reloaded')

  const entry = { operation: 'readPipeline', method: 'GET', milliseconds: expect.any(Number), world: 'main' }
  expect(lines().map((line) => JSON.parse(line) as unknown)).toEqual([
    { listening: url, auth: 'open' },
    { ...entry, status: 200, url: '/api/pipelines/one' },
    { ...entry, status: 404, url: '/api/pipelines/two' },
    expect.anything(),
  ])
})
