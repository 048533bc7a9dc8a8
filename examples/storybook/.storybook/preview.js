import { setupWorker } from 'msw/browser'
import { mswLoader } from 'msw-storybook-addon/csf3'
import { mountPanel } from 'pipeline-understudy/panel'
import { scenarios } from 'pipeline-understudy/scenarios'
import { understudyStories } from 'pipeline-understudy/storybook'

const stories = understudyStories({ fixture: { pipelines: [{ name: 'daily sales' }] }, scenarios })

async function startWorker() {
  const worker = setupWorker(...stories.handlers)
  await worker.start({ quiet: true, onUnhandledRequest: 'bypass' })
  return worker
}

let panel

/** The panel in the corner, on the world of the story that is alone on its page. */
function withPanel(story, { viewMode, loaded }) {
  panel?.unmount()
  panel =
    viewMode === 'story' ? mountPanel(stories.understudy, { world: loaded.understudy.world.name }) : undefined
  return story()
}

export default { loaders: [mswLoader(startWorker), stories.loader], decorators: [withPanel] }
