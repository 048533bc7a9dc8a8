import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { readWorkerScript } from '../src/cli/project/worker-script.ts'
import { findPackage } from '../src/files/find-package.ts'
import { makeFolder } from './support/temporary.ts'

// Yarn Plug'n'Play opens a file in an archive, but does not read it by its descriptor.
vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:fs')>()
  return {
    ...original,
    openSync: () => 1 << 29,
    fstatSync: () => {
      throw new Error('EBADF: bad file descriptor, fstat')
    },
  }
})

it('reads packages and the worker script as Yarn allows it in archives', () => {
  const folder = makeFolder()
  const msw = join(folder, 'node_modules/msw')
  mkdirSync(join(msw, 'lib'), { recursive: true })
  writeFileSync(join(msw, 'package.json'), '{ "version": "2.15.0" }')
  writeFileSync(join(msw, 'lib/mockServiceWorker.js'), 'the script')

  expect(findPackage(folder, 'msw')?.version).toBe('2.15.0')
  expect(readWorkerScript(folder)).toBe('the script')
})
