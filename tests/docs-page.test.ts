import { expect, it } from 'vitest'
import { demo } from '../src/fixtures/index.ts'
import { createUnderstudy } from '../src/index.ts'
import { serveMock } from './support/serve-mock.ts'

/** The parts of the served document that a page offers as a request. */
interface OfferedDocument {
  readonly 'x-credentials': Readonly<Record<string, string>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, OfferedOperation>>>>
  readonly components: {
    readonly requestBodies: Readonly<Record<string, OfferedBody>>
    readonly securitySchemes: Readonly<Record<string, { readonly name?: string }>>
  }
}
interface OfferedOperation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[]
  readonly requestBody?: { readonly $ref: string }
}
interface OfferedBody {
  readonly content: Readonly<
    Record<string, { readonly examples: Readonly<Record<string, { readonly value: object }>> }>
  >
}

/** Reads a file of the page from a mock with the demo fixture. */
async function readFile<File>(url: string, name: string): Promise<File> {
  return (await fetch(`${url}/__understudy__/docs/${name}`)).json()
}

it('offers values and credentials with which the first request of each operation succeeds', async () => {
  const understudy = createUnderstudy({ fixture: demo, seed: 7, auth: 'login' })
  const { url } = await serveMock(understudy)
  const document = await readFile<OfferedDocument>(url, 'openapi.json')
  const { paths, components } = document
  const headers = Object.entries(document['x-credentials']).map(([scheme, value]): [string, string] => [
    components.securitySchemes[scheme]?.name ?? scheme,
    value,
  ])
  const failed: string[] = []
  let count = 0
  understudy.snapshot('before')
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { operationId, parameters = [], requestBody }] of Object.entries(operations)) {
      const inPath = parameters.filter((each) => each.in === 'path')
      const query = parameters.filter((each) => each.in === 'query' && each.example !== undefined)
      const address = inPath.reduce(
        (filled, { name, example }) => filled.replace(`{${name}}`, encodeURIComponent(String(example))),
        path,
      )
      const named = components.requestBodies[requestBody?.$ref.split('/').at(-1) ?? '']
      const [body] = Object.values(named?.content['application/json']?.examples ?? {})
      const search = new URLSearchParams(query.map(({ name, example }) => [name, String(example)]))
      const reply = await understudy.fetch(`${address}?${search}`, {
        method: method.toUpperCase(),
        headers: [...headers, ['content-type', 'application/json']],
        ...(body && { body: JSON.stringify(body.value) }),
      })
      const { error }: { error?: object } = await reply.json()
      if (error !== undefined) failed.push(`${operationId}: ${JSON.stringify(error)}`)
      count += 1
      understudy.restore('before')
    }
  }

  expect(failed).toEqual([])
  expect(count).toBeGreaterThan(40)
})

it('gives no value of a record to whom it does not show the panel', async () => {
  const { url } = await serveMock(createUnderstudy({ fixture: demo }))
  const headers = { 'x-forwarded-for': '10.0.0.7' }

  expect((await fetch(`${url}/__understudy__/docs/openapi.json`, { headers })).status).toBe(404)
  expect(await (await fetch(`${url}/openapi.json`, { headers })).text()).not.toContain('nordlicht')
})
