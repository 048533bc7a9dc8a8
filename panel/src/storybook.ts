import { createElement } from 'react'
import { addons, types } from 'storybook/manager-api'
import type { UnderstudyStories } from './library.ts'
import type { MountedPanel } from './mount.tsx'
import { mountPanel } from './mount-panel.tsx'

/*
 * An addon of Storybook, which loads this into its own page: the panel as a tab beside the other addons, on the world of
 * the story in the frame.
 */

/** The mock of the frame, and the world that the tab shows. */
interface ShownWorld {
  readonly stories: UnderstudyStories
  readonly world: string
}

let tab: HTMLElement | null = null
let shown: ShownWorld | undefined
let mounted: MountedPanel | undefined

function show(): void {
  mounted?.unmount()
  mounted = undefined
  if (tab === null) return
  tab.textContent = shown === undefined ? 'These stories have no understudyStories.' : ''
  if (shown === undefined) return
  const { stories, world } = shown
  mounted = mountPanel(stories.understudy, { world, element: tab, height: '100cqh', hash: false })
}

/** Stops keys in the panel before they reach Storybook, whose shortcuts are single letters. */
const stopKey = (event: Event) => event.stopPropagation()

function place(element: HTMLElement | null): void {
  tab?.removeEventListener('keydown', stopKey)
  tab = element
  tab?.addEventListener('keydown', stopKey)
  show()
}

addons.register('pipeline-understudy', (api) => {
  addons.add('pipeline-understudy/panel', {
    type: types.PANEL,
    title: 'Understudy',
    render: ({ active }) =>
      createElement('div', {
        ref: place,
        hidden: !active,
        style: { height: '100%', containerType: 'size' },
      }),
  })
  api.on('storyRendered', (id) => {
    const frame = document.querySelector<HTMLIFrameElement>('#storybook-preview-iframe')
    const stories: UnderstudyStories | undefined = Object(frame?.contentWindow).understudyStories
    const world = stories?.worldOf(id)
    // A story that renders again has the same world, so the panel stays as it is.
    if (stories === shown?.stories && world === shown?.world) return
    shown = stories && world !== undefined ? { stories, world } : undefined
    show()
  })
})
