import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { findPackage, readInstalledFile } from '../../files/find-package.ts'

/** The name of msw's script, which pages load as a service worker. */
export const workerScriptName = 'mockServiceWorker.js'

/** Returns the script of the installed msw; `undefined` if msw is not installed. */
export function readWorkerScript(folder: string): string | undefined {
  const installed = findPackage(folder, 'msw')
  if (installed === undefined) return undefined
  const path = join(installed.folder, 'lib', workerScriptName)
  return existsSync(path) ? readInstalledFile(path) : undefined
}
