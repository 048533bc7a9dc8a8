import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, createLogger, createServer, type InlineConfig, preview, type ViteDevServer } from 'vite'
import { expect, it as itInParts, onTestFinished } from 'vitest'
import { startWatch } from '../src/cli/watch-fixture.ts'
import { useUnderstudy } from '../src/integrations/vite/use-understudy.ts'
import { thoroughly, wholly } from './support/depth.ts'
import { root } from './support/root.ts'

const it = wholly(itInParts)
const itThoroughly = thoroughly(itInParts)

const corner = '/__understudy__/panel/corner.js'
const withPlugin = (options: string) =>
  `import { understudy } from 'pipeline-understudy/vite'\nexport default { plugins: [understudy(${options})] }\n`

/** A project with the built package, whose page shows a pipeline. */
async function project(config: string): Promise<string> {
  const folder = await mkdtemp(join(root, 'tests', '.vite-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  await mkdir(join(folder, 'node_modules'))
  await symlink(root, join(folder, 'node_modules/pipeline-understudy'))
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><html><body><script type="module" src="/main.js"></script></body></html>',
  )
  await writeFile(
    join(folder, 'main.js'),
    "document.title = (await (await fetch('/api/pipelines')).json()).pipelines[0].uuid",
  )
  await writeFile(join(folder, 'start.json'), '{ "pipelines": [{ "name": "daily sales" }] }')
  await writeFile(join(folder, 'vite.config.js'), config)
  return folder
}

const inFolder = (folder: string, more: InlineConfig = {}): InlineConfig => ({
  root: folder,
  logLevel: 'silent',
  server: { port: 0, host: '127.0.0.1' },
  preview: { port: 0, host: '127.0.0.1' },
  ...more,
})

async function develop(folder: string, more?: InlineConfig): Promise<ViteDevServer> {
  const server = await createServer(inFolder(folder, more))
  onTestFinished(() => server.close())
  return server.listen()
}

interface Listening {
  readonly resolvedUrls: { readonly local: string[] } | null
}

async function send({ resolvedUrls }: Listening, path: string, init: RequestInit = {}): Promise<string> {
  const reply = await fetch(new URL(path, resolvedUrls!.local[0]), { ...init })
  return `${reply.status} ${await reply.text()}`
}

const create = (name: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ pipeline: { name, type: 'python' } }),
})

async function names(server: Listening): Promise<string[]> {
  const text = await send(server, '/api/pipelines')
  const { pipelines } = JSON.parse(text.slice(4)) as { pipelines: { name: string }[] }
  return pipelines.map(({ name }) => name)
}

it('answers the API of a development server, with the panel in its pages and beside them', async () => {
  const server = await develop(await project(withPlugin("{ fixture: 'start.json', auth: 'open' }")))

  expect(await names(server)).toEqual(['daily sales'])
  expect(await send(server, '/')).toContain(`<script type="module" src="${corner}"></script>`)
  expect(await send(server, corner)).toMatch(/^200 import/)
  expect(await send(server, '/__understudy__/')).toContain('src="panel/page.js"')
  expect(
    await send(server, '/__understudy__/api/worlds', { headers: { origin: 'http://elsewhere.example' } }),
  ).toMatch(/^403 /)
  expect(await send(server, '/main.js')).toContain('document.title')
})

itThoroughly('begins with the demo, and with a scenario where one is named', async () => {
  const server = await develop(await project(withPlugin("{ scenario: 'empty' }")))
  const demo = await develop(await project(withPlugin('{ panel: false }')))

  expect(await names(server)).toEqual([])
  expect(await names(demo)).toContain('daily-revenue')
  expect(await send(demo, '/')).not.toContain(corner)
})

it('preserves the state while the server restarts, until it is closed', async () => {
  const folder = await project(withPlugin("{ fixture: 'start.json' }"))
  const server = await develop(folder)
  await send(server, '/api/pipelines', create('mine'))
  await server.restart()
  expect(await names(server)).toEqual(['daily sales', 'mine'])
  await server.close()

  const later = await develop(folder)
  expect(await names(later)).toEqual(['daily sales'])
})

it('uses the latest fixture if its file changes during a restart', async () => {
  const folder = await project('')
  const path = join(folder, 'start.json')
  const before = await useUnderstudy('dev', folder, { fixture: 'start.json' })
  const read = await startWatch(path)
  await writeFile(path, '{ "pipelines": [{ "name": "weekly sales" }] }')
  const after = await useUnderstudy('dev', folder, { fixture: 'start.json' })

  expect(after.understudy).toBe(before.understudy)
  expect(after.ownFixture).toEqual(read)
  await after.release()
})

itThoroughly('resets if a server restarts with other options', async () => {
  const folder = await project(withPlugin("{ fixture: 'start.json' }"))
  const server = await develop(folder)
  await send(server, '/api/pipelines', create('mine'))

  await writeFile(join(folder, 'vite.config.js'), withPlugin("{ fixture: 'start.json', seed: 2 }"))
  await server.restart()
  expect(await names(server)).toEqual(['daily sales'])
})

it('stores the state in a file through restarts and its end', async () => {
  const config = (seed: number) =>
    `import { fileStorage } from 'pipeline-understudy/storage/file'\n${withPlugin(
      `{ fixture: 'start.json', seed: ${seed}, storage: fileStorage(new URL('kept.json', import.meta.url).pathname) }`,
    )}`
  const folder = await project(config(1))
  const server = await develop(folder)
  await send(server, '/api/pipelines', create('mine'))
  await writeFile(join(folder, 'vite.config.js'), config(1).concat('// again'))
  await server.restart()
  expect(await names(server)).toEqual(['daily sales', 'mine'])
  await server.close()

  expect(await names(await develop(folder))).toEqual(['daily sales', 'mine'])
})

it('reloads a changed fixture, and preserves the state if it is invalid', async () => {
  const folder = await project(withPlugin("{ fixture: 'start.json' }"))
  const logged: string[] = []
  const customLogger = {
    ...createLogger('silent'),
    error: (text: string) => void logged.push(text),
  }
  const server = await develop(folder, { customLogger })
  await writeFile(join(folder, 'start.json'), '{ "pipelines": [{ "name": "weekly sales" }] }')
  await expect.poll(() => names(server), { timeout: 20_000 }).toEqual(['weekly sales'])

  await writeFile(join(folder, 'start.json'), '{ "pipelines": [{ "\\u001bcolour": "red" }] }')
  await expect.poll(() => logged.join(), { timeout: 20_000 }).toContain('The state is unchanged.')
  expect(logged.join()).toContain('start.json')
  expect(logged.join()).toContain('\\u001bcolour')
  expect(logged.join()).not.toContain('\u001b')
  expect(await names(server)).toEqual(['weekly sales'])
})

it('answers a preview of the build, without the panel in its page', async () => {
  const folder = await project(withPlugin("{ fixture: 'start.json' }"))
  await build(inFolder(folder))
  const server = await preview(inFolder(folder))
  onTestFinished(() => server.close())

  expect(await names(server)).toEqual(['daily sales'])
  expect(await send(server, '/')).not.toContain(corner)
})

itThoroughly('does not change a build', async () => {
  const folder = await project(withPlugin('{ panel: true }'))
  const outputOf = async (config: string) => {
    await writeFile(join(folder, 'vite.config.js'), config)
    const { output } = (await build(inFolder(folder, { build: { write: false } }))) as {
      output: { fileName: string; code?: string; source?: string | Uint8Array }[]
    }
    return output.map(({ fileName, code, source }) => [fileName, code ?? String(source)])
  }
  const built = await outputOf(withPlugin('{ panel: true }'))

  expect(built.map(([name]) => name)).toContain('index.html')
  expect(built).toEqual(await outputOf('export default {}\n'))
})

it('explains why it refuses to start', async () => {
  const folder = await project(withPlugin("{ fixture: 'strat.json' }"))
  await expect(createServer(inFolder(folder))).rejects.toThrow(
    /Cannot read the fixture .*strat\.json: the file does not exist/,
  )

  await writeFile(join(folder, 'vite.config.js'), withPlugin("{ fixtures: 'start.json' }"))
  await expect(createServer(inFolder(folder))).rejects.toThrow('fixtures: expected the key "fixture"')

  await writeFile(join(folder, 'start.json'), '{ "pipelines": [{ "colour": "red" }] }')
  await writeFile(join(folder, 'vite.config.js'), withPlugin("{ fixture: 'start.json' }"))
  await expect(createServer(inFolder(folder))).rejects.toThrow(
    /start\.json has 2 errors:\n {2}\$\.pipelines\[0\]\.colour: /,
  )
})
