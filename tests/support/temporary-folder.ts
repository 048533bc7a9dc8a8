import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The folder for temporary files of this run, by the process that reads the configuration. */
export const temporaryFolder = join(tmpdir(), `understudy-tests-${process.pid}`)

/** Makes the folder, and removes it after the last test with what a killed test has left. */
export function setup(): () => void {
  const remove = () => rmSync(temporaryFolder, { recursive: true, force: true })
  remove()
  // Another user may go through it, as the container does, and look at nothing.
  mkdirSync(temporaryFolder, { mode: 0o711 })
  return remove
}
