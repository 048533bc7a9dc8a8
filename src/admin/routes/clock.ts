import * as z from 'zod'
import type { World } from '../../engine/worlds/world.ts'
import { defineRoute } from '../define-route.ts'
import { duration, wholeNumber } from '../schemas.ts'

const reply = {
  status: 200,
  description: 'The state of the clock.',
  schema: z.object({
    now: z.number().describe('Milliseconds since the epoch.'),
    at: z.string().describe('The same time as text.'),
    speed: z.number().describe('Speed relative to its source; 0 for a stopped clock.'),
  }),
} as const

const event = z.object({
  at: z.string(),
  kind: z.string().describe('The kind of event, such as `fails` or `fires`.'),
  plural: z.string(),
  key: z.string().describe('The key of the record; `***` if it is a credential.'),
  name: z.string().nullable(),
  belongsTo: z.looseObject({}).describe('The records that it refers to.'),
  text: z.string().describe('One sentence.'),
})

const leftOut = z
  .record(z.string(), z.int())
  .describe('By plural, the number of records with more due events than one step applies.')

/** Routes of the clock. Each response has the current time. */
export const clockRoutes = [
  defineRoute({
    id: 'readClock',
    route: 'GET /worlds/:world/clock',
    summary: 'Read the clock',
    reply,
    handle: (_, world) => read(world),
  }),
  defineRoute({
    id: 'freezeClock',
    route: 'POST /worlds/:world/clock/freeze',
    summary: 'Stop the clock, now or at a time',
    body: z.strictObject({ at: z.string().optional().describe('Such as 2026-01-31 12:00:00.') }).default({}),
    reply,
    handle(_, world, { body: { at } }) {
      world.clock.freeze(at)
      return read(world)
    },
  }),
  defineRoute({
    id: 'advanceClock',
    route: 'POST /worlds/:world/clock/advance',
    summary: 'Move the clock forward',
    body: z.strictObject({ duration }),
    reply: {
      ...reply,
      schema: reply.schema.extend({ leftOut }),
    },
    handle(_, world, { body }) {
      const { leftOut } = world.clock.advance(body.duration)
      return { ...read(world), leftOut }
    },
  }),
  defineRoute({
    id: 'listNextEvents',
    route: 'GET /worlds/:world/clock/next',
    summary: 'List the scheduled events, the earliest first',
    query: z.strictObject({
      limit: wholeNumber.exactOptional().describe('Default 20.'),
      within: z.string().exactOptional().describe('Only events within this time, such as 3d.'),
    }),
    reply: {
      status: 200,
      description: 'The events, and the total number of scheduled times.',
      schema: z.object({
        events: z.array(event.extend({ wait: z.number().describe('Milliseconds until then.') })),
        count: z.int(),
      }),
    },
    handle: (_, world, { query }) => world.clock.next(query),
  }),
  defineRoute({
    id: 'advanceClockToNext',
    route: 'POST /worlds/:world/clock/next',
    summary: 'Move the clock to the next scheduled event',
    reply: {
      status: 200,
      description: 'The state of the clock, and the events at that time.',
      schema: z.object({
        now: z.number().describe('Milliseconds since the epoch.'),
        at: z.string(),
        events: z.array(event),
        count: z.int().describe('Total number of events.'),
        leftOut,
      }),
    },
    handle: (_, world) => world.clock.advanceToNext(),
  }),
  defineRoute({
    id: 'runClock',
    route: 'POST /worlds/:world/clock/run',
    summary: 'Start the clock at its current time',
    body: z
      .strictObject({
        speed: z.number().max(1e9).optional().describe('Speed relative to its source. Default 1.'),
      })
      .default({}),
    reply,
    handle(_, world, { body: { speed } }) {
      world.clock.run(speed)
      return read(world)
    },
  }),
  defineRoute({
    id: 'resetClock',
    route: 'POST /worlds/:world/clock/reset',
    summary: 'Reset the clock to its start',
    reply,
    handle(_, world) {
      world.clock.reset()
      return read(world)
    },
  }),
]

function read({ clock }: World): { now: number; at: string; speed: number } {
  const now = clock.now()
  return { now, at: new Date(now).toISOString(), speed: clock.speed() }
}
