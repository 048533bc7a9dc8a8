import { ignores, onBody, onList, reaches, sets } from '../changes.ts'
import { defineMutants } from './define-mutants.ts'

const short = '2026-01-31 12:00:00'

/** Mutants of schedules. */
export const schedules = defineMutants({
  'tags-and': [
    'list-pipeline-schedules/filter',
    onList('listPipelineSchedules', (list, { query }) =>
      list.filter(({ tags }) =>
        query.getAll('tag[]').every((tag) => Array.isArray(tags) && tags.includes(tag)),
      ),
    ),
  ],
  'tags-ignored': ['list-pipeline-schedules/filter', { request: ignores('listPipelineSchedules', 'tag[]') }],
  'last-tag-only': [
    'list-pipeline-schedules/filter',
    {
      request: (passing) =>
        reaches('listPipelineSchedules', passing) && passing.query.getAll('tag[]').length > 1
          ? { path: `${passing.path}?tag[]=${passing.query.getAll('tag[]').at(-1)}` }
          : undefined,
    },
  ],
  'tags-null': ['schedule-fields/tags', sets('listPipelineSchedules', { tags: null })],
  'shared-token': [
    'schedule-list/token-unique',
    sets('listPipelineSchedules', { token: 'the-same-for-all' }),
  ],
  'everybodys-schedules': [
    'list-pipeline-schedules/filter',
    sets('listPipelineSchedules', { pipeline_uuid: 'another' }),
  ],
  'short-schedule-timestamps': [
    'list-pipeline-schedules/timestamps',
    sets('listPipelineSchedules', { created_at: short }),
  ],
  'settings-null': ['schedule-fields/settings', sets('listPipelineSchedules', { settings: null })],
  'schedules-under-schedules': [
    'list-pipeline-schedules/envelope',
    onBody('listPipelineSchedules', ({ pipeline_schedules, ...body }) => ({
      ...body,
      schedules: pipeline_schedules,
    })),
  ],
  'unknown-tag-matches-all': [
    'list-pipeline-schedules/filter',
    {
      request: (passing) =>
        passing.query.getAll('tag[]').join() === 'none' ? { path: passing.path } : undefined,
    },
  ],
  'encoded-tags-ignored': [
    'schedule-list/encoded-tag',
    { request: ({ path, search }) => (search.includes('tag%5B%5D') ? { path } : undefined) },
  ],
})
