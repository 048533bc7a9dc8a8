import type { BrokenServer } from './define-broken.ts'
import { backfills } from './servers/backfills.ts'
import { blocks } from './servers/blocks.ts'
import { envelopes } from './servers/envelopes.ts'
import { everyField } from './servers/every-field.ts'
import { moreOthers } from './servers/more-others.ts'
import { moreRecords } from './servers/more-records.ts'
import { others } from './servers/others.ts'
import { pipelines } from './servers/pipelines.ts'

/** Servers that are wrong in one way each; `understudy serve --broken NAME` serves one. */
export const brokenServers: readonly BrokenServer[] = [
  ...envelopes,
  ...pipelines,
  ...blocks,
  ...backfills,
  ...others,
  ...moreRecords,
  ...moreOthers,
  ...everyField,
]
