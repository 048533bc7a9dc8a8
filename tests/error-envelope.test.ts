import { expect, it } from 'vitest'
import { isErrorEnvelope } from '../src/api/index.ts'
import { createUnderstudy } from '../src/index.ts'

it('distinguishes an error from a success by the body', async () => {
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
  ['an error whose code is a text', { error: { code: '404', message: '', type: '' }, status: 200 }],
  ['an error whose code is no whole number', { error: { code: 40.4, message: '', type: '' }, status: 200 }],
  ['an error without a message', { error: { code: 404, type: 'record_not_found' }, status: 200 }],
  ['an error without a type', { error: { code: 404, message: 'No.' }, status: 200 }],
  ['an error without the status of the body', { error: { code: 404, message: '', type: '' } }],
  ['a record that is called error', { error: { id: 1, code: 7, message: 'kept', type: 'soft' } }],
])('does not regard %s as an error envelope', (_, body) => {
  expect(isErrorEnvelope(body)).toBe(false)
})

it('does not change the stack traces of the process', async () => {
  const { dispatch } = createUnderstudy()
  const reply = await dispatch({ method: 'GET', url: '/api/pipelines/nowhere' })

  expect(JSON.parse(reply!.body)).toMatchObject({ error: { code: 404 } })
  expect(new Error('mine').stack).toContain('error-envelope.test.ts')
})
