import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { writeUserFile } from '../../files/write-file.ts'
import { type UsageSource, usageOf } from '../../traffic/usage-of.ts'

/** The environment variable by which the setup of a run requests the usage from the processes of its tests. */
export const folderVariable = 'UNDERSTUDY_USAGE_FOLDER'

/** Writes the usage of the API by a test, if the run collects it. */
export async function noteUsage(worlds: readonly UsageSource[]): Promise<void> {
  const folder = process.env[folderVariable]
  if (folder === undefined) return
  for (const world of worlds)
    writeUserFile(join(folder, `${randomUUID()}.json`), JSON.stringify(await usageOf(world)))
}
