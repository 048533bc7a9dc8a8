import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { page } from './support/documents.ts'
import { freePort } from './support/free-port.ts'
import { root } from './support/root.ts'
import { makeFolder } from './support/temporary.ts'

/** A fenced block of the page, with the file it is to be written to, where the sentence before it names one. */
interface FencedBlock {
  readonly language: string
  readonly text: string
  readonly file: string | undefined
}

const blocks: readonly FencedBlock[] = [
  ...page('docs/tutorial.md').matchAll(/([^\n]*)\n\n```(\w+)\n([\s\S]*?)```/g),
].map(([, before, language, text]) => ({
  language: language!,
  text: text!,
  file: /`([\w.]+\.js)`/.exec(before!)?.[1],
}))

/** A folder on the way of the page: what its lines print, and the servers it has left running. */
class Reader {
  readonly codes: (number | string)[] = []
  #folder: string
  #printed = ''
  #served = ''
  readonly #ports: ReadonlyMap<string, number>

  constructor(folder: string, ports: ReadonlyMap<string, number>) {
    this.#folder = folder
    this.#ports = ports
  }

  async read(block: FencedBlock): Promise<void> {
    const text = this.#onItsPorts(block.text)
    if (block.language === 'js') await writeFile(join(this.#folder, block.file!), text)
    else if (block.language === 'text') await this.#expect(text)
    else if (/ serve( |$)/m.test(text)) await this.#serve(text)
    else if (text.startsWith('npm install ')) await this.#install(text)
    else await this.#run(text)
  }

  /** The page has the ports that are usual, which may be taken here. */
  #onItsPorts(text: string): string {
    return [...this.#ports].reduce((changed, [port, other]) => changed.replaceAll(port, String(other)), text)
  }

  /** The output contains the lines of the page in order; `…` matches anything. */
  async #expect(text: string): Promise<void> {
    const lines = text.trimEnd().split('\n')
    const pattern = lines.map((line) => line.trim().split('…').map(escaped).join('[^\\n]*')).join('[\\s\\S]*')
    await vi.waitFor(() => expect(this.#printed + this.#served).toMatch(new RegExp(pattern)), 10_000)
  }

  async #serve(text: string): Promise<void> {
    const port = /--port (\d+)/.exec(text)?.[1] ?? String(this.#ports.get('6789'))
    const server = this.#start(text.includes('--port') ? text : `${text.trim()} --port ${port}`)
    onTestFinished(() => void process.kill(-server.pid!, 'SIGKILL'))
    server.stdout!.on('data', (bytes: Buffer) => {
      this.#served += bytes.toString()
    })
    await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/`), 20_000)
  }

  /** The packages that npm would install, from this checkout. */
  async #install(text: string): Promise<void> {
    const [, , , ...names] = text.trim().split(' ')
    const modules = join(this.#folder, 'node_modules')
    await mkdir(join(modules, '.bin'), { recursive: true })
    for (const name of names)
      await symlink(
        name === 'pipeline-understudy' ? root : join(root, 'node_modules', name),
        join(modules, name),
      )
    await symlink(join(root, 'dist/cli/main.js'), join(modules, '.bin/pipeline-understudy'))
    await symlink(join(root, 'node_modules/.bin/vitest'), join(modules, '.bin/vitest'))
  }

  async #run(text: string): Promise<void> {
    const command = this.#start(text)
    this.#printed = ''
    for (const stream of [command.stdout!, command.stderr!])
      stream.on('data', (bytes: Buffer) => {
        this.#printed += stripVTControlCharacters(bytes.toString())
      })
    const [code] = (await once(command, 'close')) as [number]
    this.codes.push(code)
    this.#folder = join(this.#folder, /^cd (.+)$/m.exec(text)?.[1] ?? '')
  }

  #start(text: string): ChildProcess {
    // npx finds these commands, too, in half a second each.
    const env = { ...process.env, NO_COLOR: '1', PATH: `node_modules/.bin:${process.env.PATH}` }
    const script = text.replaceAll(/^npx /gm, '')
    return spawn('bash', ['-c', script], { cwd: this.#folder, env, detached: true })
  }
}

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

it('runs every step of the tutorial with the shown output', async () => {
  const folder = makeFolder()
  const ports = new Map([
    ['6789', await freePort()],
    ['6790', await freePort()],
  ])
  const reader = new Reader(folder, ports)
  for (const block of blocks) await reader.read(block)

  // A folder, two requests, a passing test, a failing one, both fixed, a faulty server, a correct one, its requests.
  expect(reader.codes).toEqual([0, 0, 0, 0, 1, 0, 1, 0, 0, 0])
  expect(blocks.length).toBe(page('docs/tutorial.md').match(/^```\w+$/gm)!.length)
})
