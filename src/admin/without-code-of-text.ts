import * as z from 'zod'

/**
 * To be loaded before any module that makes schemas: Zod would try, with each schema of an object, whether code may be made of
 * text, and a page that forbids it is told of each trial.
 */
const { jitless = false } = z.config()
z.config({ jitless: true })

/** Leaves to Zod what it may do for others, once the schemas of the admin API are made. */
export function schemasAreMade(): void {
  z.config({ jitless })
}
