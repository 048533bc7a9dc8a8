import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cli, startServer } from '../../lib/processes.mjs'

/** Returns the path of a server for comparison. */
export const peer = (name) => fileURLToPath(new URL(`../peers/${name}`, import.meta.url))

/** Has the command write a fixture of 500 pipelines and so many backfills; returns its path. */
export function writeFixture(folder, backfills) {
  const file = join(folder, `fixture-${backfills}.json`)
  execFileSync(process.execPath, [
    ...[cli, 'fixture', 'generate', '--pipelines', '500', '--backfills', String(backfills)],
    ...['--seed', '7', '--out', file],
  ])
  return file
}

/** The arguments that serve a fixture quietly, by this build of the command or another. */
export function serveArguments(fixture, command = cli) {
  return [command, 'serve', '--quiet', '--port', '{port}', '--fixture', fixture]
}

/** Writes what the understudy itself answers, so that every server holds the same records; returns the path. */
export async function writeRecords(folder, fixture) {
  const server = await startServer(serveArguments(fixture), '/api/backfills?_limit=1')
  try {
    const read = async (path) => (await fetch(server.origin + path)).json()
    const file = join(folder, 'records.json')
    // A pipeline read alone carries its extensions as well.
    const { pipelines } = await read('/api/pipelines')
    const records = {
      pipelines: pipelines.map((pipeline) => ({ ...pipeline, extensions: {} })),
      backfills: (await read('/api/backfills')).backfills,
    }
    writeFileSync(file, JSON.stringify(records))
    return file
  } finally {
    await server.stop()
  }
}

/** The records that {@link writeRecords} wrote. */
export function readRecords(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
