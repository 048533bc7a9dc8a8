import { events as backfills } from './backfill/events.ts'
import type { EventsOf } from './event-words.ts'
import { events as oauth_access_tokens } from './oauth-access-token/events.ts'
import { events as pipeline_runs } from './pipeline-run/events.ts'
import { events as pipeline_schedules } from './pipeline-schedule/events.ts'
import type { Plural, RecordModel } from './records.ts'
import type { WireRecord } from './resource.ts'

const table: { readonly [P in Plural]?: EventsOf<P> } = {
  oauth_access_tokens,
  pipeline_schedules,
  backfills,
  pipeline_runs,
}

/** The events of a resource, as generic code reads them. */
export interface ResourceEvents {
  describe(record: WireRecord, next: WireRecord, model: RecordModel): ReturnType<EventsOf<Plural>['describe']>
}

/** Descriptions of scheduled events, by plural. Loaded on demand: mocked pages do not need them. */
// Each receives records of its own resource only. TypeScript permits this for methods.
export const events: Readonly<Record<string, ResourceEvents | undefined>> = table
