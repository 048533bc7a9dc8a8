import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

/** The folder for temporary files of this run: by the process that reads the configuration, and when it began. */
export const temporaryFolder = join(
  tmpdir(),
  `understudy-tests-${process.pid}-${Math.round(performance.timeOrigin)}`,
)

/** Makes the folder, which several projects share; it goes when the run ends, with what a killed test has left. */
export function setup({ config }: TestProject): void {
  // As the configuration read it: this file is loaded for each project, and while Chromium is unpacked, TMPDIR is another.
  const folder = config.env.TMPDIR as string
  // Another user, such as the container, may traverse it, but not list it.
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}
