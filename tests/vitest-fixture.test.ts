import { expect, onTestFinished, vi } from 'vitest'
import { createClient } from '../src/admin/client/index.ts'
import { createUnderstudy } from '../src/index.ts'
import { test } from '../src/integrations/vitest/index.ts'
import { serveMock } from './support/serve-mock.ts'

test('passes requests of a client to the server of its URL', async ({ understudy }) => {
  const { url } = await serveMock(createUnderstudy({ fixture: { pipelines: [{ name: 'elsewhere' }] } }))

  expect(await createClient(url).model.pipelines.count()).toBe(1)
  expect(understudy.model.pipelines.count()).toBe(0)
})

const elsewhere = test.extend({ handlerOptions: { baseUrl: 'https://api.example.com' } })

elsewhere('names the URL of an unhandled request and the base URL of the handlers', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => printed.mockRestore())

  await expect(fetch('http://localhost:3000/api/pipelines')).rejects.toThrow('fetch')

  expect(printed.mock.calls[0]?.[0]).toBe(
    `[understudy] No handler matches GET http://localhost:3000/api/pipelines. handlerOptions.baseUrl is "https://api.example.com". Correct it, or let such requests pass: test.override({ handlerOptions: { unhandled: 'bypass' } }).`,
  )
})
