import type { RuleId } from './index.ts'

/** Rules about one operation with the same statement as a derived rule about all. They pass and fail together. */
export const sameRules: Partial<Record<RuleId, readonly RuleId[]>> = {
  'delete-block/refused-unchanged': ['block-delete/refused-unchanged'],
  'read-block/attributes': ['block-read/fields'],
  'delete-block/attributes': ['block-delete/fields'],
  'create-backfill/attributes': ['backfill-create/fields'],
  'list-backfills/attributes': ['backfill-list/fields'],
  'delete-backfill/attributes': ['backfill-delete/fields'],
  'create-backfill/timestamps': ['timestamps/backfill-create'],
  'update-backfill/timestamps': ['timestamps/backfill-update'],
  'delete-backfill/timestamps': ['timestamps/backfill-delete'],
  'list-backfills/filter': ['backfill-list/pipeline-filter'],
  'list-backfills/run-count': ['backfill-list/run-count'],
  'list-pipeline-schedules/timestamps': ['timestamps/schedules'],
  'trigger-pipeline/accepted': ['trigger/returns-run'],
  'trigger-pipeline/timestamps': ['timestamps/runs'],
  'list-logs/paging': ['limits/offset-logs'],
  'list-oauth-access-tokens/timestamps': ['timestamps/tokens'],
  'list-oauth-access-tokens/paging': ['limits/limit-tokens', 'limits/offset-tokens'],
}
