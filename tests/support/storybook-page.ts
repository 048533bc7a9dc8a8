import { setupWorker } from 'msw/browser'
import { createHandlers } from '../../src/handlers/index.ts'
import { createUnderstudy, type Fixture } from '../../src/index.ts'

type StoryStep = {
  readonly story: string
  readonly method?: string
  readonly path: string
  readonly json?: unknown
}

/** Results of a page with several component examples: each sends its own key, one has faults. */
async function playStories({ fixture, steps }: { fixture: Fixture; steps: readonly StoryStep[] }) {
  const understudy = createUnderstudy({ fixture })
  const worker = setupWorker(
    ...createHandlers(understudy, { baseUrl: '/docs', world: 'docs' }),
    ...createHandlers(understudy),
  )
  await worker.start({
    quiet: true,
    onUnhandledRequest: 'bypass',
    serviceWorker: { url: '/page/mockServiceWorker.js', options: { scope: '/' } },
  })
  const { faults } = understudy.world('broken')
  faults.add({ operation: 'listPipelines', times: 1, badGateway: true })
  faults.add({ operation: 'readPipeline', times: 1, drop: true })
  faults.add({ operation: 'listBackfills', truncate: 9 })
  faults.add({ operation: 'listPipelineRuns', slowBody: '40ms', latency: '20ms' })
  let refused = ''
  try {
    faults.add({ reset: true })
  } catch (error) {
    refused = (error as Error).message
  }
  const replies = []
  for (const { story, method = 'GET', path, json } of steps) {
    const headers = { 'x-understudy-world': story, 'content-type': 'application/json' }
    const init = json === undefined ? { method, headers } : { method, headers, body: JSON.stringify(json) }
    const own = path.startsWith('/docs') ? { method } : init
    replies.push(
      await fetch(path, own).then(
        async (response) => `${response.status} ${await response.text()}`,
        (error: Error) => error.name,
      ),
    )
  }
  const requests = understudy.worlds.list().map(({ name, requests: count }) => [name, count])
  const journal = understudy
    .world('one')
    .journal.entries()
    .map(({ operation }) => operation)
  worker.stop()
  return { replies, refused, requests, journal }
}

Object.assign(window, { playStories })
