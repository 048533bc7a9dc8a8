import * as z from 'zod'
import type { JournalQueue } from '../../engine/journal/journal.ts'
import type { JournalChange, JournalEntry, JournalMessage } from '../../engine/journal/journal-entry.ts'
import { readInChunks } from '../../engine/journal/read-in-chunks.ts'
import { instanceOf } from '../../engine/worlds/world-handle.ts'
import type { OperationName } from '../../resources/table-types.ts'
import { type AdminStream, defineRoute } from '../define-route.ts'
import { flag, typed, wholeNumber } from '../schemas.ts'

const message = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.unknown().optional(),
  omitted: z
    .int()
    .optional()
    .describe('The length of a body that is too long for the journal, in characters.'),
} satisfies Readonly<Record<keyof JournalMessage, z.ZodType>>)
const change = z
  .object({
    op: z.enum(['add', 'replace', 'remove']),
    path: z.string(),
    value: z.unknown().optional(),
    previous: z.unknown().optional(),
  } satisfies Readonly<Record<keyof JournalChange, z.ZodType>>)
  .describe('A change of JSON Patch (RFC 6902) over `{ <plural>: { <key>: record } }`.')
const entry = z.object({
  sequence: z.int(),
  world: z.string(),
  at: z.string(),
  operation: z.string().optional().describe('The operation of the request.'),
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  params: z.record(z.string(), z.string()).describe('The parameters of the path.'),
  status: z.int().describe('The logical status in the body.'),
  httpStatus: z.int(),
  milliseconds: z.number(),
  held: z
    .number()
    .nullable()
    .describe('Additional delay by faults, in milliseconds; `null` without a reply.'),
  request: message,
  reply: message,
  changes: z.array(change).describe('Changes of the state by the request.'),
  followed: z
    .array(z.object({ at: z.string(), changes: z.array(change) }))
    .describe('Scheduled events that followed from it, if the log contains them.'),
  omittedFollowed: z.int().optional().describe('Number of such events that are not stored.'),
  omittedChanges: z.int().optional().describe('Number of further changed records.'),
  faults: z.array(z.string()).describe('The ids of the faults that applied to it.'),
  notes: z.array(z.string()).describe('Accepted parts of the request without an effect.'),
} satisfies Readonly<Record<keyof JournalEntry, z.ZodType>>)

/** Admin API routes for the request log. */
export const journalRoutes = [
  defineRoute({
    id: 'listEntries',
    route: 'GET /worlds/:world/journal',
    summary: 'List the requests and their replies',
    query: z.strictObject({
      operation: typed<OperationName>(z.string())
        .exactOptional()
        .describe('The id of an operation, such as `listBackfills`.'),
      method: z.string().exactOptional().describe('Such as `POST`.'),
      path: z.string().exactOptional().describe('The whole path.'),
      status: wholeNumber.exactOptional().describe('The logical status.'),
      after: wholeNumber.exactOptional().describe('Only requests after this `sequence`.'),
      sequence: wholeNumber.exactOptional().describe('Only the request with this `sequence`.'),
      details: flag
        .exactOptional()
        .describe('`false` leaves headers, bodies and changes empty. Default `true`.'),
    }),
    reply: {
      status: 200,
      description: 'The entries, oldest first, and the number of dropped ones; `null` if none are stored.',
      schema: z.object({ entries: z.array(entry), lost: z.int().nullable() }),
    },
    async handle(_, world, { query }) {
      const { journal } = instanceOf(world)
      // An unknown operation matches nothing.
      return { entries: await readInChunks(journal.describe(query)), lost: journal.lost() }
    },
  }),
  defineRoute({
    id: 'clearJournal',
    route: 'DELETE /worlds/:world/journal',
    summary: 'Clear the journal',
    handle: (_, world) => world.journal.clear(),
  }),
  defineRoute({
    id: 'exportJournal',
    route: 'GET /worlds/:world/journal.har',
    summary: 'Export the journal as an HTTP archive',
    reply: { status: 200, description: 'HAR 1.2.', schema: z.object({ log: z.looseObject({}) }) },
    handle: (_, world) => world.journal.har(),
  }),
  defineRoute({
    id: 'streamJournal',
    route: 'GET /worlds/:world/journal/stream',
    summary: 'Follow the journal',
    description:
      'Server-sent events named `request`, each with an entry and its sequence as id. `Last-Event-ID` first requests those after it.',
    reply: { status: 200, description: 'The events, until the client leaves.', type: 'text/event-stream' },
    handle: (_, world, { lastEventId }) => follow(instanceOf(world).journal, lastEventId),
  }),
]

function follow(journal: JournalQueue, lastEventId: number | undefined): AdminStream {
  return ({ write, ready, end }) => {
    let isOver = false
    let stop: () => void = () => undefined
    const send = (entry: JournalEntry) => write(eventOf(entry))
    /** Sends the entries after the given one, as fast as the client reads, and then all new ones. */
    const catchUp = async (after: number): Promise<void> => {
      let last = after
      for (const entry of journal.describe({ after })) {
        // The filter omits it.
        if (entry === undefined) continue
        send(entry)
        await ready()
        if (isOver) return
        last = entry.sequence
      }
      if (last > after) return catchUp(last)
      stop = journal.subscribe(send, end)
    }
    // A first message confirms that the stream is open.
    write(': follows\n\n')
    if (lastEventId === undefined) stop = journal.subscribe(send, end)
    else catchUp(lastEventId).catch(end)
    return () => {
      isOver = true
      stop()
    }
  }
}

/** Texts of sent entries, shared by all subscribers. */
const events = new WeakMap<JournalEntry, string>()

function eventOf(entry: JournalEntry): string {
  const known = events.get(entry)
  if (known !== undefined) return known
  const event = `id: ${entry.sequence}\nevent: request\ndata: ${JSON.stringify(entry)}\n\n`
  events.set(entry, event)
  return event
}
