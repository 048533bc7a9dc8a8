import { it as base } from 'vitest'
import { type Api, openInMemory } from './api.ts'
import { company } from './company.ts'

/** `it` with the small fixture in memory: a test that names `api` gets a new one. */
export const it = base.extend<{ readonly api: Api }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from this pattern.
  api: async ({}, use) => use(await openInMemory({ fixture: company })),
})
