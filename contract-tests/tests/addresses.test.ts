import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { expressTarget } from '../targets/built-in.ts'
import { it } from './it.ts'
import { runVerify } from './run-verify.ts'

const run = promisify(execFile)

it.concurrent('names the address that a target redirects to', async ({ listen }) => {
  const url = await listen((request, response) => {
    response.writeHead(308, { location: `https://api.example.com${request.url}` }).end()
  })
  const { code, err } = await runVerify([url, '--api-key', 'secret-key'])

  expect(err).toContain(
    'GET /api/pipelines redirects to https://api.example.com/api/pipelines (HTTP 308). Pass the URL of the server',
  )
  expect(err).not.toContain('secret-key')
  expect(code).toBe(2)
})

it.concurrent('names --ca for a certificate that is not trusted, and verifies with it', async ({
  folder,
  onTestFinished,
}) => {
  const path = await folder()
  const [key, certificate] = [join(path, 'key.pem'), join(path, 'certificate.pem')]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', key, '-out', certificate]
  await run('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...names])
  const options = { key: await readFile(key), cert: await readFile(certificate) }
  const server = createServer(options, expressTarget('open'))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const flags = [`https://localhost:${port}`, '--only', 'pipeline-read/*', '--sequences', '0']
  const refused = await runVerify(flags)

  expect(refused.err).toMatch(
    /certificate is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\);.* --ca, or .* NODE_EXTRA_CA_CERTS\.\n$/,
  )
  expect(refused.code).toBe(2)
  expect((await runVerify([...flags, '--ca', certificate])).code).toBe(0)
  expect((await runVerify([...flags, '--ca', key])).err).toContain(
    `--ca: expected a PEM file; found no certificate in ${key}.`,
  )
})
