import { expect, it } from 'vitest'
import { type StoryParameters, understudyStories } from '../src/integrations/storybook/index.ts'
import { scenarios } from '../src/scenarios/index.ts'
import { isWorldName } from '../src/shared/world-name.ts'
import { serveHandlers } from './support/serve-handlers.ts'

const fixture = { pipelines: [{ name: 'daily sales' }] }

function open() {
  const stories = understudyStories({ fixture, scenarios })
  serveHandlers(...stories.handlers)
  const names = async (baseUrl = '', headers = {}): Promise<unknown> => {
    const reply = await (await fetch(`http://localhost${baseUrl}/api/pipelines?_limit=9`, { headers })).json()
    return reply.pipelines?.map(({ name }: { name: string }) => name) ?? reply.error.message
  }
  const draw = async (id: string, parameters: StoryParameters = {}) =>
    (await stories.loader({ id, parameters: { understudy: parameters } })).understudy
  return { draw, names }
}

it('separates the component examples of one page by path and by header', async () => {
  const { draw, names } = open()
  const one = await draw('list--one')
  const two = await draw('list--two', { fixture: { pipelines: [{ name: 'other' }] } })

  expect(await names(one.baseUrl)).toEqual(['daily sales'])
  expect(await names(two.baseUrl)).toEqual(['other'])
  expect(await names('', one.headers)).toEqual(['daily sales'])
  expect(await names(), 'that of the story that was drawn last').toEqual(['other'])
})

it('gives a component example its scenario and faults, and resets it when it is rendered again', async () => {
  const { draw, names } = open()
  const { baseUrl } = await draw('a--b', { scenario: 'empty' })
  expect(await names(baseUrl)).toEqual([])

  await draw('a--b', { faults: [{ operation: 'listPipelines', error: { code: 500, message: 'No space.' } }] })
  expect(await names(baseUrl)).toBe('No space.')

  await draw('a--b')
  expect(await names(baseUrl)).toEqual(['daily sales'])
})

it('names a world by an id of any letters and length', async () => {
  const { draw } = open()
  const long = `list--${'very-'.repeat(30)}long`
  const ids = [
    'list--one',
    'list--größe',
    'list--grösse',
    'リスト--一',
    'リスト--二',
    long,
    `${long}er`,
    '--a',
  ]
  const worlds = await Promise.all(ids.map((id) => draw(id)))
  const named = worlds.map(({ world }) => world.name)

  expect(named[0]).toBe('list--one')
  expect(new Set(named).size).toBe(ids.length)
  expect(named.filter((name) => !isWorldName(name))).toEqual([])
})

it('rejects an unknown parameter', async () => {
  const { draw } = open()

  await expect(draw('list--one', { scenarios: 'empty' } as object)).rejects.toThrow(
    '[understudy] parameters.understudy of the story list--one: expected fixture, scenario or faults; found scenarios.',
  )
})
