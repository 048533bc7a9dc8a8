import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const bench = fileURLToPath(new URL('../', import.meta.url))
export const root = join(bench, '../..')
/** The command, as a user runs it. */
export const cli = join(root, 'dist/cli/main.js')
/** The default fixture of the server. */
export const demoFixture = join(root, 'fixtures/demo.json')
/** Returns the path of a server for comparison. */
export const peer = (name) => join(bench, 'peers', name)
