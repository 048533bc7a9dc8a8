import { expect, it } from 'vitest'
import { createClient } from '../src/admin/client/index.ts'
import { createHandlers } from '../src/handlers/index.ts'
import { createUnderstudy, type Understudy } from '../src/index.ts'
import { understudy as vitePlugin } from '../src/integrations/vite/index.ts'
import { createApp } from '../src/server/create-app.ts'

it.each<[string, (understudy: Understudy) => unknown]>([
  [
    'createClient: wrold: expected the key "world", or one of adminToken, makesWorlds, fetch; found an unknown key.',
    () => createClient('http://127.0.0.1:1', { wrold: 'x' } as object),
  ],
  [
    'journal.entris: expected the key "entries", or one of bytes, dropped; found an unknown key.',
    () => createUnderstudy({ journal: { entris: 5 } as object }),
  ],
  [
    'import: asStrt: expected the key "asStart"; found an unknown key.',
    ({ import: load }) => load({}, { asStrt: true } as object),
  ],
  [
    'worlds.create: fixtur: expected the key "fixture", or one of profile, faultyVariant; found an unknown key.',
    ({ worlds }) => worlds.create('x', { fixtur: {} } as object),
  ],
  [
    'journal.entries: operaton: expected the key "operation", or one of method, ',
    ({ journal }) => journal.entries({ operaton: 'deleteBackfill' } as object),
  ],
  [
    'backfills: tak: expected the key "take", or one of cursor, skip, ',
    ({ model }) => model.backfills.findMany(undefined, { tak: 1 } as object),
  ],
  [
    'backfills: serch: expected the key "search", or one of where, ',
    ({ model }) => model.backfills.page({ serch: 'status:failed' } as object),
  ],
  [
    'createApp: pags: expected the key "pages", or one of admin, observe; found an unknown key.',
    (understudy) => createApp(understudy, { pags: true } as object),
  ],
  ['understudy: panl: expected the key "panel", or one of ', () => vitePlugin({ panl: false } as object)],
])('refuses a misspelt option with the message "%s"', async (expected, call) => {
  await expect(async () => call(createUnderstudy())).rejects.toThrow(`[understudy] ${expected}`)
})

it.each<[unknown, string]>([
  [null, 'options: expected an object; found null.'],
  [{ fixtures: {} }, 'fixtures: expected the key "fixture", or one of seed, clock, '],
  [{ auth: 'none' }, 'auth: expected one of open, key, login; found "none".'],
  [{ seed: 'x' }, 'seed: expected an integer; found "x".'],
  [
    { clock: '2026-05-05' },
    'clock: expected frozen, system, an object with now(), or { speed: 60 }; a frozen clock starts at the fixture\'s clock; found "2026-05-05".',
  ],
  [
    { profile: 'mage-ai-0.9.79' },
    'profile: expected a profile, such as mageAi0979 from \'pipeline-understudy/profiles\'; found "mage-ai-0.9.79".',
  ],
  [{ journal: { entries: -1 } }, 'journal.entries: expected a whole number of 0 or more; found -1.'],
  [{ worlds: { most: 0 } }, 'worlds.most: expected a whole number of 1 or more; found 0.'],
  [
    { worlds: { idle: 'soon' } },
    'worlds.idle: expected milliseconds, or a duration such as 5s; found "soon".',
  ],
])('refuses the options %j of a mock', (options, message) => {
  expect(() => createUnderstudy(options as never)).toThrow(`[understudy] ${message}`)
})

it.each([
  'localhost:6789',
  'http://localhost:6789/api',
  'http://localhost:6789/__understudy__/api',
  'somewhere',
])('refuses %s as the URL of a client', (url) => {
  expect(() => createClient(url)).toThrow(
    `[understudy] createClient: expected the URL of a server, such as http://127.0.0.1:6789, without /api; found "${url}".`,
  )
})

it.each<[string, unknown]>([
  ['found nothing.', undefined],
  ['found a promise: await it first.', Promise.resolve(createUnderstudy())],
  ['found a function: call it, and pass what it returns.', createUnderstudy],
  ['found {"pipelines":[]}.', { pipelines: [] }],
  [
    'found a world: pass the understudy that it is of, and the name of the world as an option.',
    createUnderstudy().world('alice'),
  ],
])('reports what an adapter received in place of a mock: %s', (found, given) => {
  const expected = 'expected the object that createUnderstudy() returns;'

  expect(() => createHandlers(given as Understudy)).toThrow(
    `[understudy] createHandlers: ${expected} ${found}`,
  )
  expect(() => createApp(given as Understudy)).toThrow(`[understudy] createApp: ${expected} ${found}`)
})
