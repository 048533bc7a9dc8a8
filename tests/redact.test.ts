import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { Redactor } from '../src/engine/journal/redact.ts'
import { withMoments } from '../src/resources/define-resource.ts'
import { resources } from '../src/resources/index.ts'

const shelf = withMoments({
  singular: 'shelf',
  plural: 'shelves',
  key: 'code',
  attributes: z.object({ code: z.string(), lantern: z.string() }),
  presents: ['code'],
  secrets: ['lantern', 'code'],
  operations: [
    {
      id: 'lightShelf',
      title: 'Light',
      action: 'create',
      section: 'What the service does',
      routes: [{ method: 'POST', path: '/api/rooms/:room/shelves/by/:lantern/now', basis: 'custom' }],
    },
  ],
})

it('hides what the table of resources says is secret: in paths, keys and values', () => {
  const redactor = new Redactor([shelf])

  expect(redactor.path('/api/rooms/1/shelves/by/oil/now')).toBe('/api/rooms/1/shelves/***/***/now')
  expect(redactor.path('/shelves/a1/name')).toBe('/shelves/***/name')
  expect(redactor.url('/api/rooms?lantern=oil&lamp=gas&api_key=k')).toBe(
    '/api/rooms?lantern=***&lamp=gas&api_key=***',
  )
  expect(redactor.value({ lantern: 'oil', inner: [{ code: 'a1' }], at: '/shelves/a1' })).toEqual({
    lantern: '***',
    inner: [{ code: '***' }],
    at: '/shelves/***',
  })
})

it('hides the credentials of the document, and leaves the rest', () => {
  const redactor = new Redactor(resources)

  expect(redactor.path('/api/pipeline_schedules/2/pipeline_runs/hand-token')).toBe(
    '/api/pipeline_schedules/2/pipeline_runs/***',
  )
  expect(redactor.path('/api/pipeline_schedules/2/pipeline_runs')).toBe(
    '/api/pipeline_schedules/2/pipeline_runs',
  )
  expect(redactor.path('/oauth_access_tokens/mira-laptop/user_id')).toBe('/oauth_access_tokens/***/user_id')
  expect(redactor.path('/api/sessions')).toBe('/api/sessions')
  expect(
    redactor.headers({ 'X-API-KEY': 'k', 'oauth-token': 't', cookie: 'oauth_token=r', accept: '*/*' }),
  ).toEqual({
    'X-API-KEY': '***',
    'oauth-token': '***',
    cookie: '***',
    accept: '*/*',
  })
})
