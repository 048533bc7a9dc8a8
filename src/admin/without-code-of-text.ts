import * as z from 'zod'

/**
 * Import it before any module that creates schemas. For each object schema Zod tries to compile code,
 * and a page whose policy forbids this logs each attempt.
 */
const { jitless = false } = z.config()
z.config({ jitless: true })

/** Restores the setting of Zod after the creation of the admin API's schemas. */
export function schemasAreMade(): void {
  z.config({ jitless })
}
