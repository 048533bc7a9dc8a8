import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const bench = fileURLToPath(new URL('../', import.meta.url))
export const root = join(bench, '../..')
/** The command, as a user runs it. */
export const cli = join(root, 'dist/cli/main.js')
/** The fixture a server starts with when nobody says otherwise. */
export const demoFixture = join(root, 'fixtures/demo.json')
/** A server this one is compared with. */
export const peer = (name) => join(bench, 'peers', name)
