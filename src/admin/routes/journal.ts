import * as z from 'zod'
import type { JournalFilter } from '../../engine/journal/journal.ts'
import type { JournalEntry } from '../../engine/journal/journal-entry.ts'
import type { World } from '../../engine/worlds/world.ts'
import { type AdminStream, defineRoute, done } from '../define-route.ts'

const entry = z.looseObject({
  sequence: z.int(),
  world: z.string(),
  at: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.int().describe('The logical status, which the body carries.'),
  httpStatus: z.int(),
})
const wholeNumber = z.string().regex(/^\d+$/, 'a number').transform(Number)

/** The journal: what was asked and what was answered. */
export const journalRoutes = [
  defineRoute({
    id: 'listEntries',
    method: 'GET',
    path: '/worlds/:world/journal',
    summary: 'List the requests and their replies',
    query: z.strictObject({
      operation: z.string().optional(),
      method: z.string().optional(),
      path: z.string().optional(),
      status: wholeNumber.optional().describe('The logical status.'),
    }),
    reply: {
      status: 200,
      description: 'The entries, oldest first, and how many more there were; `null` where none is kept.',
      schema: z.object({ entries: z.array(entry), lost: z.int().nullable() }),
    },
    handle: (_, world, { query }) => ({
      // What is no operation finds nothing.
      entries: world.journal.entries(defined(query) as JournalFilter),
      lost: world.journal.lost(),
    }),
  }),
  defineRoute({
    id: 'clearJournal',
    method: 'DELETE',
    path: '/worlds/:world/journal',
    summary: 'Empty the journal',
    reply: done,
    handle: (_, world) => world.journal.clear(),
  }),
  defineRoute({
    id: 'exportJournal',
    method: 'GET',
    path: '/worlds/:world/journal.har',
    summary: 'Export the journal as an HTTP archive',
    reply: { status: 200, description: 'HAR 1.2.', schema: z.object({ log: z.looseObject({}) }) },
    handle: (_, world) => world.journal.har(),
  }),
  defineRoute({
    id: 'streamJournal',
    method: 'GET',
    path: '/worlds/:world/journal/stream',
    summary: 'Follow the journal',
    description:
      'Server-sent events named `request`, each with an entry and its sequence as id; `Last-Event-ID` asks for those after it first.',
    reply: { status: 200, description: 'The events, until the client leaves.', type: 'text/event-stream' },
    handle: (_, world, { lastEventId }) => follow(world, lastEventId),
  }),
]

function follow({ journal }: World, lastEventId: number | undefined): AdminStream {
  return ({ write, ready, end }) => {
    let isOver = false
    let stop: () => void = () => undefined
    const send = (entry: JournalEntry) =>
      write(`id: ${entry.sequence}\nevent: request\ndata: ${JSON.stringify(entry)}\n\n`)
    /** Sends what came after an entry, as fast as it is read; then all that comes. */
    const catchUp = async (after: number): Promise<void> => {
      const entries = journal.entries().filter(({ sequence }) => sequence > after)
      for (const entry of entries) {
        send(entry)
        await ready()
        if (isOver) return
      }
      const last = entries.at(-1)
      if (last !== undefined) return catchUp(last.sequence)
      stop = journal.subscribe(send, end)
    }
    // Something at once, so that the client knows it is listening.
    write(': follows\n\n')
    if (lastEventId === undefined) stop = journal.subscribe(send, end)
    else catchUp(lastEventId).catch(end)
    return () => {
      isOver = true
      stop()
    }
  }
}

function defined<Value extends object>(
  values: Value,
): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
