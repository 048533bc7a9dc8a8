import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cli, serve } from '../../lib/processes.mjs'
import { page, pipeline, putBackfill } from './workloads.mjs'

/** Returns the path of a server for comparison. */
export const peer = (name) => fileURLToPath(new URL(`../peers/${name}`, import.meta.url))

/** Makes the command write a fixture of 500 pipelines and a number of backfills; returns its path. */
export function writeFixture(folder, backfills) {
  const file = join(folder, `fixture-${backfills}.json`)
  execFileSync(process.execPath, [
    ...[cli, 'fixture', 'generate', '--pipelines', '500', '--backfills', String(backfills)],
    ...['--seed', '7', '--out', file],
  ])
  return file
}

/** Writes the replies of the mock for the bare server, so that both send the same bytes; returns the path. */
export async function writeReplies(folder, fixture) {
  const server = await serve(['--fixture', fixture])
  try {
    const paths = [pipeline.path, page.path, putBackfill.path]
    const read = async (path) => [path, await (await fetch(server.origin + path)).text()]
    const file = join(folder, 'replies.json')
    writeFileSync(file, JSON.stringify(Object.fromEntries(await Promise.all(paths.map(read)))))
    return file
  } finally {
    await server.stop()
  }
}
