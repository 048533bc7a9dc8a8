import { onTestFinished } from 'vitest'
import { createClient } from '../../src/admin/client/index.ts'
import { createUnderstudy, type Fixture, type UnderstudyOptions } from '../../src/index.ts'
import { servePatiently } from './patient.ts'

/** Serves a mock for a test, and returns a client of it. */
export async function openServed(fixture: Fixture, options: UnderstudyOptions = {}) {
  const understudy = createUnderstudy({ fixture, ...options })
  const { url, close } = await servePatiently(understudy)
  onTestFinished(() => {
    understudy.dispose()
    return close()
  })
  return { understudy, url, client: createClient(url) }
}
