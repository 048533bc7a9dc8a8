import { createClient } from '../../src/admin/client/create-client.ts'
import { Corner } from './corner/corner.tsx'
import { mountAt } from './mount.tsx'
import { ownServer } from './own-server.ts'

/** The script that a page loads from its server: the panel in the corner of the page, with a client of that server. */
const base = ownServer()
const docs = new URL('../docs', import.meta.url).href
mountAt(base, createClient(base, { makesWorlds: false }), {}, <Corner />, docs)
