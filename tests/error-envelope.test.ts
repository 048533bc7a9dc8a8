import { expect, it } from 'vitest'
import { isErrorEnvelope } from '../src/api/index.ts'
import { createUnderstudy } from '../src/index.ts'

it('tells an error from a success by the body, since both have HTTP 200', async () => {
  const { fetch } = createUnderstudy({ fixture: { pipelines: [{ name: 'sales' }] } })
  const read = async (uuid: string) =>
    (await fetch(new Request(`http://localhost/api/pipelines/${uuid}`))).json()

  expect(isErrorEnvelope(await read('nowhere'))).toBe(true)
  expect(isErrorEnvelope(await read('sales'))).toBe(false)
})

it.each([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'error'],
  ['a list', [{ error: { code: 404 } }]],
  ['an error that is a text', { error: 'not found' }],
  ['an error without a number', { error: { code: '404', message: '', type: '' } }],
])('takes %s for no error envelope', (_, body) => {
  expect(isErrorEnvelope(body)).toBe(false)
})
