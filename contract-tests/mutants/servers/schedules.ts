import { ignores, onBody, reaches, sets } from '../changes.ts'
import type { BrokenServer } from '../define-mutant.ts'

const short = '2026-01-31 12:00:00'

/** Servers that are wrong about schedules. */
export const schedules: readonly BrokenServer[] = [
  {
    name: 'tags-and',
    breaks: 'schedule-list/two-tags',
    reply: onBody('listPipelineSchedules', (body, { query }) => ({
      ...body,
      pipeline_schedules: (body.pipeline_schedules as { tags: string[] }[]).filter(({ tags }) =>
        query.getAll('tag[]').every((tag) => tags.includes(tag)),
      ),
    })),
  },
  {
    name: 'tags-ignored',
    breaks: 'schedule-list/one-tag',
    request: ignores('listPipelineSchedules', 'tag[]'),
  },
  {
    name: 'last-tag-only',
    breaks: 'limits/tags-or',
    request: (passing) =>
      reaches('listPipelineSchedules', passing) && passing.query.getAll('tag[]').length > 1
        ? { path: `${passing.path}?tag[]=${passing.query.getAll('tag[]').at(-1)}` }
        : undefined,
  },
  { name: 'tags-null', breaks: 'schedule-fields/tags', reply: sets('listPipelineSchedules', { tags: null }) },
  {
    name: 'shared-token',
    breaks: 'schedule-list/token-unique',
    reply: sets('listPipelineSchedules', { token: 'the-same-for-all' }),
  },
  {
    name: 'everybodys-schedules',
    breaks: 'schedule-list/belongs',
    reply: sets('listPipelineSchedules', { pipeline_uuid: 'another' }),
  },
  {
    name: 'short-schedule-timestamps',
    breaks: 'timestamps/schedules',
    reply: sets('listPipelineSchedules', { created_at: short }),
  },
  {
    name: 'settings-null',
    breaks: 'schedule-fields/settings',
    reply: sets('listPipelineSchedules', { settings: null }),
  },
  {
    name: 'schedules-under-schedules',
    breaks: 'schedule-list/envelope',
    reply: onBody('listPipelineSchedules', ({ pipeline_schedules, ...body }) => ({
      ...body,
      schedules: pipeline_schedules,
    })),
  },
  {
    name: 'unknown-tag-matches-all',
    breaks: 'schedule-list/no-such-tag',
    request: (passing) =>
      String(passing.query.get('tag[]')).includes('no-such-tag') ? { path: passing.path } : undefined,
  },
  {
    name: 'encoded-tags-ignored',
    breaks: 'schedule-list/encoded-tag',
    request: ({ path, search }) => (search.includes('tag%5B%5D') ? { path } : undefined),
  },
]
