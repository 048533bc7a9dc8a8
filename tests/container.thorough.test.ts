import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { samples } from './support/documents.ts'
import { freePort } from './support/free-port.ts'
import { root } from './support/root.ts'

const run = promisify(execFile)
const text = (await readFile(join(root, 'Dockerfile'), 'utf8')).replaceAll(/^#.*\n/gm, '')
/** The steps of the Dockerfile, in their order: the word that each begins with, and the rest. */
const steps = text
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => /^(\w+) (.*)$/.exec(line)!.slice(1) as [string, string])
const rest = (word: string) => steps.filter(([step]) => step === word).map(([, rest]) => rest)

/** The root of the image's file system, as the steps make it. */
let image = ''
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'understudy-image-'))
  await chmod(folder, 0o755)
  const build = join(folder, 'build')
  image = join(folder, 'image')
  await mkdir(build)
  await mkdir(image)
  // The context of the build: a folder with the packed package.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', build], { cwd: root })
  for (const command of rest('RUN')) await run('sh', ['-ec', command], { cwd: build })
  for (const copy of rest('COPY')) {
    const [from, to] = copy.split(' ').slice(-2) as [string, string]
    if (from !== '.') await cp(from.replace('/build', build), join(image, to), { recursive: true })
  }
  await run('chmod', ['-R', 'a-w', image])
  return async () => {
    await run('chmod', ['-R', 'u+w', image])
    await rm(folder, { recursive: true })
  }
})

/** A command of the image, in its working directory, with its environment, as its user where this process may choose one. */
function start(command: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const [workingDirectory] = rest('WORKDIR').slice(-1)
  const own = Object.fromEntries(rest('ENV').map((line) => line.split('=') as [string, string]))
  const [uid, gid] = rest('USER')[0]!.split(':').map(Number)
  const [program, ...more] = command.map((part) => (part === '/nodejs/bin/node' ? process.execPath : part))
  const user = process.getuid?.() === 0 ? { uid: uid!, gid: gid! } : {}
  const options = { cwd: join(image, workingDirectory!), env: { ...own, ...env }, ...user }
  const child = spawn(program!, more, options)
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const json = (line: string) => JSON.parse(line) as string[]

/** The server of the image, on a port of its own. */
async function serve(env: Readonly<Record<string, string>> = {}) {
  const port = await freePort()
  const child = start(
    [...json(rest('ENTRYPOINT')[0]!), ...json(rest('CMD')[0]!), '--port', `${port}`, '--json'],
    env,
  )
  const [first] = (await once(child.stdout, 'data')) as [Buffer]
  child.stdout.resume()
  return { port, child, first: JSON.parse(first.toString().split('\n')[0]!) as { listening: string } }
}

/** Returns the exit code of the health check of the image. */
async function checkHealth(port: number): Promise<number> {
  const [, command] = /CMD (\[.*\])$/.exec(rest('HEALTHCHECK')[0]!)!
  const child = start(json(command!.replace('6789', `${port}`)))
  const [code] = (await once(child, 'close')) as [number]
  return code
}

it('builds an image that serves from a folder that it cannot write, as no root, and ends on SIGTERM', async () => {
  const { port, child, first } = await serve()
  const reply = await fetch(`http://127.0.0.1:${port}/api/pipelines?_limit=1`)
  const ended = once(child, 'close')
  child.kill('SIGTERM')

  expect(first.listening).toBe(`http://0.0.0.0:${port}`)
  expect(await reply.json()).toMatchObject({ pipelines: [{}] })
  expect(await ended).toEqual([0, null])
})

it('is healthy with a token for the admin API and without, and not once it has ended', async () => {
  const open = await serve()
  const guarded = await serve({ UNDERSTUDY_ADMIN_TOKEN: 'let-me-in' })
  const worlds = `http://127.0.0.1:${guarded.port}/__understudy__/api/worlds`

  expect(await checkHealth(open.port)).toBe(0)
  expect(await checkHealth(guarded.port)).toBe(0)
  expect((await fetch(worlds)).status).toBe(401)
  expect((await fetch(worlds, { headers: { authorization: 'Bearer let-me-in' } })).status).toBe(200)
  const ended = once(open.child, 'close')
  open.child.kill('SIGTERM')
  await ended
  expect(await checkHealth(open.port)).toBe(1)
})

it('does not start with an empty token', async () => {
  const child = start([...json(rest('ENTRYPOINT')[0]!), 'serve', '--port', '0'], {
    UNDERSTUDY_ADMIN_TOKEN: '',
  })
  const [code] = (await once(child, 'close')) as [number]

  expect(code).toBe(1)
})

it('shows the compose file of the example, whose services are there', async () => {
  const [shown] = samples('yaml').filter(({ path }) => path === 'docs/containers.md')
  const file = await readFile(join(root, 'examples/compose/compose.yaml'), 'utf8')
  const { services } = parse(file) as { services: { frontend: { volumes: string[] } } }
  const mounted = services.frontend.volumes.map((volume) => volume.split(':')[0]!)
  const proxy = await readFile(join(root, 'examples/compose/nginx.conf'), 'utf8')

  expect(file.replace(/^#.*\n/, '')).toBe(shown!.text)
  expect(mounted).toEqual(['./frontend', './nginx.conf'])
  expect(proxy).toContain('proxy_pass http://api:6789;')
  expect(Object.keys(services)).toEqual(['api', 'frontend'])
})
