import * as z from 'zod'
import { giveFixture } from '../../factories/given-fixtures.ts'
import { defineRoute } from '../define-route.ts'
import { fixture } from '../schemas.ts'

const use = z.object({
  name: z.string(),
  requests: z.int().describe('Number of answered requests.'),
  idle: z.number().describe('Milliseconds since its last use.'),
  age: z.number().describe('Milliseconds since its creation.'),
  profile: z.string().optional().describe('Its profile.'),
  faultyVariant: z.string().optional().describe('Its faulty variant.'),
})

/** Admin API routes for worlds. */
export const worldRoutes = [
  defineRoute({
    id: 'listWorlds',
    route: 'GET /worlds',
    summary: 'List the worlds',
    reply: { status: 200, description: 'The worlds.', schema: z.object({ worlds: z.array(use) }) },
    handle: ({ worlds }) => ({ worlds: worlds.list() }),
  }),
  defineRoute({
    id: 'createWorld',
    route: 'POST /worlds',
    summary: 'Create a world',
    body: z.strictObject({
      name: z.string().min(1).describe('The name that requests send.'),
      fixture: fixture.exactOptional(),
      profile: z.string().nullable().exactOptional().describe('A profile by its name; `null` for none.'),
      faultyVariant: z
        .string()
        .nullable()
        .exactOptional()
        .describe('A faulty variant by its name; `null` for none.'),
    }),
    isLarge: true,
    reply: { status: 201, description: 'The world.', schema: z.object({ name: z.string() }) },
    root: '$.fixture',
    handle({ worlds }, _, { body: { name, fixture, ...options } }) {
      worlds.create(name, fixture === undefined ? options : { ...options, fixture: giveFixture(fixture) })
      return { name }
    },
  }),
  defineRoute({
    id: 'listProfiles',
    route: 'GET /profiles',
    summary: 'List the profiles that a new world can have',
    reply: {
      status: 200,
      description: 'The profiles.',
      schema: z.object({ profiles: z.array(z.object({ name: z.string() })) }),
    },
    handle: ({ worlds }) => ({ profiles: worlds.profiles() }),
  }),
  defineRoute({
    id: 'listFaultyVariants',
    route: 'GET /faulty-variants',
    summary: 'List the faulty variants that a new world can have',
    reply: {
      status: 200,
      description: 'The faulty variants, each with the rule that it breaks.',
      schema: z.object({
        faultyVariants: z.array(
          z.object({ name: z.string(), breaks: z.string(), rule: z.string().optional() }),
        ),
      }),
    },
    handle: ({ worlds }) => ({ faultyVariants: worlds.faultyVariants() }),
  }),
  defineRoute({
    id: 'readWorld',
    route: 'GET /worlds/:world',
    summary: 'Read a world',
    reply: {
      status: 200,
      description: 'The world.',
      schema: use.extend({ apiKeys: z.array(z.string()) }),
    },
    handle: ({ worlds }, { name, apiKeys }) => ({
      ...worlds.list().find((world) => world.name === name),
      apiKeys: [...apiKeys],
    }),
  }),
  defineRoute({
    id: 'deleteWorld',
    route: 'DELETE /worlds/:world',
    summary: 'Delete a world and its data',
    handle: ({ worlds }, { name }) => worlds.delete(name),
  }),
  defineRoute({
    id: 'resetWorld',
    route: 'POST /worlds/:world/reset',
    summary: 'Reset a world to its fixture',
    description: '`undo` reverts the reset.',
    handle: (_, world) => world.reset(),
  }),
  defineRoute({
    id: 'undo',
    route: 'POST /worlds/:world/undo',
    summary: 'Revert the last reset, restore, import or start of a scenario',
    reply: {
      status: 200,
      description: 'The kind of change: `reset`, `restore`, `import` or `scenario`.',
      schema: z.object({ undone: z.enum(['reset', 'restore', 'import', 'scenario']) }),
    },
    handle: (_, world) => ({ undone: world.undo() }),
  }),
]
