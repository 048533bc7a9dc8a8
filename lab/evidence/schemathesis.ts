import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { answering } from '../../contract-tests/targets/answering.ts'
import { builtIn, createTarget } from '../../contract-tests/targets/built-in.ts'
import { drawMutants } from '../mutants/draw.ts'
import { type Start, serveMutant } from '../mutants/serve-mutant.ts'
import type { ComparedMutant, Evidence } from './page.ts'

const run = promisify(execFile)
const command = process.env.SCHEMATHESIS ?? 'schemathesis'

/** Returns the name and version of Schemathesis; `undefined` if it is not installed. */
export async function schemathesisVersion(): Promise<string | undefined> {
  return run(command, ['--version']).then(
    ({ stdout }) => stdout.trim().replace(/, version/, ''),
    () => undefined,
  )
}

/** Serves a mutant, or without one the correct server, and tests whether Schemathesis finds a failure. */
async function fails(seed: number, start?: Start): Promise<boolean> {
  const correct = answering(createTarget({ auth: 'login' }))
  const target = start ? serveMutant(correct, start) : correct
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const body = (await text(request)) || undefined
    const reply = await target.answer({ method, path: url, headers, body })
    response.writeHead(reply.status, { 'content-type': reply.contentType }).end(reply.text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  const flags = {
    url: `http://127.0.0.1:${address.port}`,
    'exclude-checks': 'ignored_auth,use_after_free,negative_data_rejection,unsupported_method',
    'max-examples': 5,
    'max-failures': 1,
    seed,
  }
  const headers = [
    '-H',
    `X-API-KEY: ${builtIn.apiKey}`,
    '-H',
    'OAUTH-TOKEN: judge-active-token',
    '--no-shrink',
  ]
  const values = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  // Schemathesis stores what it learns of a server in its working directory.
  const cwd = mkdtempSync(join(tmpdir(), 'evidence-'))
  try {
    await run(command, ['run', resolve('openapi.json'), ...headers, ...values], { cwd, maxBuffer: 1 << 26 })
    return false
  } catch (error) {
    // Exit code 1: a check failed.
    if (error instanceof Error && 'code' in error && error.code === 1) return true
    throw error
  } finally {
    server.closeAllConnections()
    server.close()
    rmSync(cwd, { recursive: true })
  }
}

/** Runs Schemathesis on the first mutants of the sample, two at once. */
export async function compareWithSchemathesis(
  seed: number,
  count: number,
  kinds: Evidence['kinds'],
): Promise<readonly ComparedMutant[]> {
  if (await fails(seed)) throw new Error('Schemathesis reports a failure of the correct server.')
  const survivors = new Set(kinds.flatMap((kind) => kind.survivors.map(({ name }) => name)))
  const next = drawMutants(seed, count).entries()
  const compared: ComparedMutant[] = []
  const work = async () => {
    for (const [index, { kind, name, start }] of next)
      compared[index] = { kind, name, verify: !survivors.has(name), schemathesis: await fails(seed, start) }
  }
  await Promise.all([work(), work()])
  return compared
}
