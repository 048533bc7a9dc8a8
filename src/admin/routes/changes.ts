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

/** The world may be deleted before its stream begins. The feed then ends it at once. */
function follow(changes: ChangeFeed): AdminStream {
  return ({ write, ready, end }) => {
    const waiting = new Set<ChangedPart>()
    let isSending = false
    /** Sends the collected changes. Those that arrive meanwhile are collected for the next message. */
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
    // A first message confirms that the stream is open.
    write(': follows\n\n')
    return changes.subscribe(({ parts }) => {
      for (const part of parts) waiting.add(part)
      return send()
    }, end)
  }
}
