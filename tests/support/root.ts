import { join } from 'node:path'

/** The folder of this repository. Before a project that needs it runs, `dist` is built there. */
export const root = join(import.meta.dirname, '../..')
