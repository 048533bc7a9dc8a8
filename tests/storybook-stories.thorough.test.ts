import { expect, it } from 'vitest'
import { isBrowserAvailable, openPage } from './support/browser.ts'
import { company } from './support/company.ts'

it.runIf(isBrowserAvailable)(
  'gives each component example on a page its own world in a service worker',
  async () => {
    const page = await openPage('storybook-page.ts')
    const create = (story: string) => ({
      story,
      method: 'POST',
      path: '/api/pipelines',
      json: { pipeline: { name: story, type: 'python' } },
    })
    const list = (story: string) => ({ story, path: '/api/pipelines' })
    const steps = [
      create('one'),
      create('two'),
      list('one'),
      list('two'),
      { story: '', method: 'DELETE', path: '/docs/api/pipelines/archive' },
      { story: '', path: '/docs/api/pipelines' },
      list('broken'),
      { story: 'broken', path: '/api/pipelines/archive' },
      { story: 'broken', path: '/api/backfills' },
      { story: 'broken', path: '/api/pipeline_runs' },
      list('broken'),
    ]
    const result = (await page.call('playStories', { fixture: company, steps })) as {
      replies: string[]
      refused: string
      requests: [string, number][]
      journal: string[]
    }
    const uuids = (text: string) =>
      [...text.matchAll(/\{"uuid":"(\w+)","name":"[^"]*","type":"(?:python|integration)"/g)].map(
        ([, uuid]) => uuid,
      )

    expect(uuids(result.replies[2]!)).toEqual(['archive', 'daily_sales', 'one'])
    expect(uuids(result.replies[3]!)).toEqual(['archive', 'daily_sales', 'two'])
    expect(uuids(result.replies[5]!)).toEqual(['daily_sales'])
    expect(result.replies[6]).toMatch(/^502 <!doctype html>/)
    expect(result.replies[7]).toBe('TypeError')
    expect(result.replies[8]).toBe('200 {"backfil')
    expect(result.replies[9]).toMatch(/^200 \{"pipeline_runs":\[.*"next":false\}\}$/)
    expect(uuids(result.replies[10]!)).toEqual(['archive', 'daily_sales'])
    expect(result.refused).toMatch(/expected an effect that Mock Service Worker supports; found reset/)
    expect(result.requests).toEqual([
      ['main', 0],
      ['one', 2],
      ['two', 2],
      ['docs', 2],
      ['broken', 5],
    ])
    expect(result.journal).toEqual(['createPipeline', 'listPipelines'])
  },
)
