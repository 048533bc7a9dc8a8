import type { TestInfo } from '@playwright/test'
import { createClient } from '../../admin/client/create-client.ts'
import type { RemoteUnderstudy } from '../../admin/client/types.ts'
import type { UnderstudyOptions } from '../../engine/read-options.ts'
import { UnderstudyError } from '../../shared/understudy-error.ts'
import { noteUsage } from '../usage/note-usage.ts'
import { attachJournal } from './attach-journal.ts'

/** Returns the name of a test's world, which differs for each attempt. */
export function worldOf({ testId, retry }: Pick<TestInfo, 'testId' | 'retry'>): string {
  return `test-${testId.replaceAll(/[^\w-]/g, '-').slice(-50)}-${retry}`
}

export async function openThere(
  url: string | URL,
  adminToken: string | undefined,
  options: UnderstudyOptions,
  use: (understudy: RemoteUnderstudy) => Promise<void>,
  test: TestInfo,
): Promise<void> {
  const { fixture, ...others } = options
  const [other] = Object.keys(others)
  if (other !== undefined) {
    throw new UnderstudyError(
      'OPTION_INVALID',
      `understudyOptions: ${other}: a world of a server takes its fixture alone; start the server with what else it needs: pipeline-understudy serve --help.`,
    )
  }
  const name = worldOf(test)
  const understudy = createClient(url, { world: name, ...(adminToken !== undefined && { adminToken }) })
  // A world that an interrupted run has left.
  await understudy.worlds.delete(name)
  await understudy.worlds.create(name, fixture === undefined ? {} : { fixture })
  try {
    await use(understudy)
    await attachJournal(test, understudy)
    await noteUsage([understudy])
  } finally {
    await understudy.worlds.delete(name)
    await understudy.dispose()
  }
}
