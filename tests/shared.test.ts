import { expect, it } from 'vitest'
import { PathTree } from '../src/engine/router.ts'
import { createGlob } from '../src/shared/glob.ts'
import { suggest } from '../src/shared/suggest.ts'
import { parseTime } from '../src/shared/timestamps.ts'
import { camelCase, pascalCase, toWords } from '../src/shared/words.ts'

it.each([
  ['/api/backfills', '/api/backfills', true],
  ['/api/backfills', '/api/backfills/1', false],
  ['/api/backfills/:id', '/api/backfills/1', true],
  ['/api/backfills/:id', '/api/backfills/', false],
  ['/api/backfills/:id', '/api/backfills/1/runs', false],
  ['/api/:plural/:id/runs', '/api/backfills/1/runs', true],
  ['/api/pipelines*', '/api/pipelines', true],
  ['/api/pipelines*', '/api/pipelines/a/b', true],
  ['/api/*/runs', '/api/a/b/runs', true],
  ['/api/*/runs', '/api/runs', false],
  ['/api/*a*b', '/api/ab', true],
  ['/api/*a*b', '/api/ba', false],
  ['/api/*ab', '/api/ab ab', true],
  ['/api/*/:id', '/api/a/b', true],
  ['/api/*/:id', '/api/a', false],
  ['/api/a.b', '/api/a.b', true],
  ['/api/a.b', '/api/aXb', false],
  ['a*a', 'a', false],
  ['backfill-*', 'backfill-fields/name', true],
])('holds %s against %s: %s', (pattern, text, expected) => {
  expect(createGlob(pattern)(text)).toBe(expected)
})

it('matches a pattern of many stars against a long text in linear time', () => {
  const fits = createGlob(`/api/${'a*'.repeat(30)}/:id/b*c`)
  const text = `/api/${'a'.repeat(1_000_000)}`

  // In any other time it would not end.
  expect(fits(text)).toBe(false)
  expect(fits(`${text}/1/bc`)).toBe(true)
})

it('finds values by method and path, literal segments before parameters', () => {
  const tree = new PathTree<string>()
  tree.add('GET', '/runs/:id', 'one')
  tree.add('PUT', '/runs/:id', 'change')
  tree.add('POST', '/runs/script', 'script')

  expect(tree.find('/runs/7')).toEqual({
    values: new Map([
      ['GET', 'one'],
      ['PUT', 'change'],
    ]),
    segments: ['7'],
  })
  expect(tree.find('/runs/script')?.values.get('POST')).toBe('script')
  expect(
    ['/runs', '/runs/', '/runs//', '/runs/7/', '/Runs/7', '/', ''].map((path) => tree.find(path)),
  ).toEqual(Array(7).fill(undefined))
})

it('suggests a similar name, or none', () => {
  expect(suggest('dmo', ['demo', 'empty'])).toBe(' Did you mean demo?')
  expect(suggest('bakcfills', ['pipelines', 'backfills'])).toBe(' Did you mean backfills?')
  expect(suggest('demo', ['demo'])).toBe('')
  expect(suggest('nothing like it', ['demo', 'empty'])).toBe('')
  expect(suggest('x'.repeat(1_000_000), ['demo'])).toBe('')
  expect(suggest('demo', [])).toBe('')
})

it('writes names in other letter cases', () => {
  expect(camelCase('pipeline_schedule')).toBe('pipelineSchedule')
  expect(pascalCase('oauth_access_token')).toBe('OauthAccessToken')
  expect(pascalCase('listBackfills')).toBe('ListBackfills')
  expect(toWords('pipeline_schedule')).toBe('pipeline schedule')
})

it.each([
  ['2026-01-31T12:00:00', Date.UTC(2026, 0, 31, 12)],
  ['2026-01-31T12:00:00.123456', Date.UTC(2026, 0, 31, 12, 0, 0, 123)],
  ['2026-01-31T12:00:00+02:00', Date.UTC(2026, 0, 31, 10)],
  ['2026-01-31', Date.UTC(2026, 0, 31)],
  ['2026-02-31T12:00:00', undefined],
])('reads the time %s, in UTC where it names no zone', (text, milliseconds) => {
  expect(parseTime(text)).toBe(milliseconds)
})
