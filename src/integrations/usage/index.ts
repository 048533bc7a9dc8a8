import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeUserFile } from '../../files/write-file.ts'
import { UsageCollector, type UsageMap } from '../../traffic/usage-map.ts'
import { folderVariable } from './note-usage.ts'

/**
 * Creates a global setup for Vitest or Playwright, which writes what all tests of a run use of the API: a usage map for
 * `pipeline-understudy verify --used-by`.
 *
 * @param file JSON file to write at the end of the run.
 * @example
 * export default collectUsage('web-app.json')
 */
export function collectUsage(file: string): () => Promise<() => Promise<void>> {
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'understudy-usage-'))
    process.env[folderVariable] = folder
    return async () => {
      const collector = new UsageCollector()
      for (const name of await readdir(folder)) {
        const map: UsageMap = JSON.parse(await readFile(join(folder, name), 'utf8'))
        collector.merge(map)
      }
      writeUserFile(file, `${JSON.stringify(collector.map, null, 2)}\n`)
      await rm(folder, { recursive: true })
    }
  }
}
