import type { ChangedPart, ChangeFeed } from '../../engine/worlds/change-stream.ts'
import { instanceOf } from '../../engine/worlds/world-handle.ts'
import { type AdminStream, defineRoute } from '../define-route.ts'

/** Admin API routes for the stream of changes. */
export const changeRoutes = [
  defineRoute({
    id: 'streamChanges',
    route: 'GET /worlds/:world/changes',
    summary: 'Follow the changes of a world',
    description:
      'Server-sent events named `change`, each with the `parts` that changed since the previous one: `clock`, `faults`, `assumptions`, `snapshots`, `requests`, `journal` (cleared), `resources`, `worlds`, `records/` and a plural. Slow clients get several combined.',
    reply: { status: 200, description: 'The events, until the client leaves.', type: 'text/event-stream' },
    handle: (_, world) => follow(instanceOf(world).changes),
  }),
]

/** The stream may begin when its world is gone; the feed ends it at once then. */
function follow(changes: ChangeFeed): AdminStream {
  return ({ write, ready, end }) => {
    const waiting = new Set<ChangedPart>()
    let isSending = false
    /** Sends what waits; what comes meanwhile waits together, however much of it there is. */
    const send = async (): Promise<void> => {
      if (isSending) return
      isSending = true
      while (waiting.size > 0) {
        const parts = [...waiting].sort()
        waiting.clear()
        write(`event: change\ndata: ${JSON.stringify({ parts })}\n\n`)
        await ready()
      }
      isSending = false
    }
    // Something at once, so that the client knows it is listening.
    write(': follows\n\n')
    return changes.subscribe(({ parts }) => {
      for (const part of parts) waiting.add(part)
      return send()
    }, end)
  }
}
