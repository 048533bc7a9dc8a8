import * as z from 'zod'
import type { World } from '../../engine/worlds/world.ts'
import { defineRoute } from '../define-route.ts'
import { defined } from '../defined.ts'
import { duration, nothing } from '../schemas.ts'

const reply = {
  status: 200,
  description: 'Where the clock stands.',
  schema: z.object({
    now: z.number().describe('Milliseconds since the epoch.'),
    at: z.string().describe('The same time as text.'),
    speed: z.number().describe('How many times as fast as its source it runs; 0 where it stands still.'),
  }),
} as const

const event = z.object({
  at: z.string(),
  kind: z.string().describe('What happens, such as `fails` or `fires`.'),
  plural: z.string(),
  key: z.string().describe('The key of the record; `***` where it is a credential.'),
  name: z.string().nullable(),
  belongsTo: z.looseObject({}).describe('What the record refers to.'),
  text: z.string().describe('One sentence.'),
})

const leftOut = z
  .record(z.string(), z.int())
  .describe('By plural, how many records had more due than happens in one step.')

/** Routes of the clock. Each response has the current time. */
export const clockRoutes = [
  defineRoute({
    id: 'readClock',
    method: 'GET',
    path: '/worlds/:world/clock',
    summary: 'Read the clock',
    reply,
    handle: (_, world) => read(world),
  }),
  defineRoute({
    id: 'freezeClock',
    method: 'POST',
    path: '/worlds/:world/clock/freeze',
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
    method: 'POST',
    path: '/worlds/:world/clock/advance',
    summary: 'Move the clock forward',
    body: z.strictObject({ duration }),
    reply: {
      ...reply,
      schema: reply.schema.extend({
        leftOut,
      }),
    },
    handle(_, world, { body }) {
      const step = world.clock.advance(body.duration)
      return { ...read(world), ...step }
    },
  }),
  defineRoute({
    id: 'listNextEvents',
    method: 'GET',
    path: '/worlds/:world/clock/next',
    summary: 'List what will happen by itself, the first first',
    query: z.strictObject({
      limit: z.string().regex(/^\d+$/, 'a number').transform(Number).optional().describe('Default 20.'),
      within: z.string().optional().describe('Only what comes until then, such as 3d.'),
    }),
    reply: {
      status: 200,
      description: 'The events, and how many times records have before them in all.',
      schema: z.object({
        events: z.array(event.extend({ wait: z.number().describe('Milliseconds until then.') })),
        count: z.int(),
      }),
    },
    problems: [422],
    handle: (_, world, { query }) => world.clock.next(defined(query)),
  }),
  defineRoute({
    id: 'advanceClockToNext',
    method: 'POST',
    path: '/worlds/:world/clock/next',
    summary: 'Move the clock to the next time at which something happens, and say what has',
    body: nothing,
    reply: {
      status: 200,
      description: 'Where the clock stands, and what happened there.',
      schema: z.object({
        now: z.number().describe('Milliseconds since the epoch.'),
        at: z.string(),
        events: z.array(event),
        count: z.int().describe('How many events there were in all.'),
        leftOut,
      }),
    },
    handle: (_, world) => world.clock.advanceToNext(),
  }),
  defineRoute({
    id: 'runClock',
    method: 'POST',
    path: '/worlds/:world/clock/run',
    summary: 'Let the clock run on from where it stands',
    body: z
      .strictObject({
        speed: z.number().max(1e9).optional().describe('How many times as fast as its source. Default 1.'),
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
    method: 'POST',
    path: '/worlds/:world/clock/reset',
    summary: 'Take the clock back to where it started',
    body: nothing,
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
