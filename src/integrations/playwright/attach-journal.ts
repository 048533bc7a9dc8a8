import type { TestInfo } from '@playwright/test'
import type { WorldControls } from '../../admin/client/types.ts'
import { describeJournal } from '../matchers/journal-text.ts'

/** Attaches the received requests to a failed test, as text and as HAR. */
export async function attachJournal(test: TestInfo, world: WorldControls, suffix = ''): Promise<void> {
  if (test.status === test.expectedStatus) return
  await test.attach(`journal${suffix}`, {
    body: describeJournal(await world.journal.entries()),
    contentType: 'text/plain',
  })
  await test.attach(`journal${suffix}.har`, {
    body: JSON.stringify(await world.journal.har()),
    contentType: 'application/json',
  })
}
