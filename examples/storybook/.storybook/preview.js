import { setupWorker } from 'msw/browser'
import { mswLoader } from 'msw-storybook-addon/csf3'
import { scenarios } from 'pipeline-understudy/scenarios'
import { understudyStories } from 'pipeline-understudy/storybook'

const stories = understudyStories({ fixture: { pipelines: [{ name: 'daily sales' }] }, scenarios })

async function startWorker() {
  const worker = setupWorker(...stories.handlers)
  // As they are called in Mock Service Worker 2 and 3.
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' })
  return worker
}

export default { loaders: [mswLoader(startWorker), stories.loader] }
