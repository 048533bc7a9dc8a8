import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The folder for temporary files of this run: by the process that reads the configuration, and when it began. */
export const temporaryFolder = join(
  tmpdir(),
  `understudy-tests-${process.pid}-${Math.round(performance.timeOrigin)}`,
)

/** Makes the folder, which several projects share; it goes when the run ends, with what a killed test has left. */
export function setup(): void {
  // Another user may go through it, as the container does, and look at nothing.
  mkdirSync(temporaryFolder, { recursive: true, mode: 0o711 })
  process.once('exit', () => rmSync(temporaryFolder, { recursive: true, force: true }))
}
