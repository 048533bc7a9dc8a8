import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { asked, type Operator } from '../mutant.ts'
import { byTags, elsewhere, filterStrike, like, ofPipeline, or } from './filter-strikes.ts'
import { withQuery } from './list-strikes.ts'

/** What goes wrong with filters. */
export const filterOperators: readonly Operator[] = [
  {
    name: 'filter-prefix',
    does: 'filters by what a value begins with',
    strikes: [
      ofPipeline((uuid, wanted) => uuid.startsWith(wanted)),
      byTags((tags, wanted) => wanted.some((tag) => tags.some((own) => own.startsWith(tag)))),
    ],
  },
  {
    name: 'filter-substring',
    does: 'filters by what a value contains',
    strikes: [
      ofPipeline((uuid, wanted) => uuid.includes(wanted)),
      byTags((tags, wanted) => wanted.some((tag) => tags.some((own) => own.includes(tag)))),
    ],
  },
  {
    name: 'filter-any-case',
    does: 'filters without regard to capital letters',
    strikes: [
      ofPipeline((uuid, wanted) => uuid.toLowerCase() === wanted.toLowerCase()),
      byTags((tags, wanted) =>
        wanted.some((tag) => tags.some((own) => own.toLowerCase() === tag.toLowerCase())),
      ),
    ],
  },
  {
    name: 'filter-joker',
    does: 'takes % and _ in a filter for any text and any letter',
    strikes: [
      ofPipeline((uuid, wanted) => like(wanted).test(uuid)),
      byTags((tags, wanted) => wanted.some((tag) => tags.some((own) => like(tag).test(own)))),
    ],
  },
  {
    name: 'filter-unknown-is-all',
    does: 'returns everything where a filter finds nothing',
    strikes: (
      [
        ['listBackfills', 'pipeline_uuid', 'backfills'],
        ['listPipelineSchedules', 'tag[]', 'pipeline_schedules'],
      ] as const
    ).map(([operation, name, plural]) => ({
      ...filterStrike(operation, name, () => true),
      wrong: (holds) => () => async (heard, ask) => {
        const reply = await ask()
        if (
          heard.operation !== operation ||
          !heard.query.has(name) ||
          !isObject(reply.body) ||
          !holds(asked(heard))
        )
          return reply
        const records = reply.body[plural]
        return Array.isArray(records) && records.length === 0
          ? ask({ path: withQuery(heard, { [name]: undefined }) })
          : reply
      },
    })),
  },
  {
    name: 'tags-and',
    does: 'returns only schedules that have all of the tags',
    strikes: [{ ...byTags((tags, wanted) => wanted.every((tag) => tags.includes(tag))), sentence: or }],
  },
  {
    name: 'tags-first-only',
    does: 'sees only the first of several tags',
    strikes: [{ ...byTags((tags, wanted) => tags.includes(wanted[0] ?? '')), sentence: or }],
  },
  {
    name: 'tags-last-only',
    does: 'sees only the last of several tags',
    strikes: [{ ...byTags((tags, wanted) => tags.includes(wanted.at(-1) ?? '')), sentence: or }],
  },
  {
    name: 'tags-only-first-of-schedule',
    does: 'compares only the first tag of a schedule',
    strikes: [byTags(([first], wanted) => first !== undefined && wanted.includes(first))],
  },
  {
    name: 'tags-only-single',
    does: 'finds only schedules whose one tag it is',
    strikes: [byTags((tags, wanted) => tags.length === 1 && wanted.includes(tags[0] ?? ''))],
  },
  {
    name: 'tags-with-untagged',
    does: 'returns untagged schedules with any tag',
    strikes: [byTags((tags, wanted) => tags.length === 0 || wanted.some((tag) => tags.includes(tag)))],
  },
  {
    name: 'tags-at-most-two',
    does: 'sees no more than two tags',
    strikes: [
      { ...byTags((tags, wanted) => wanted.slice(0, 2).some((tag) => tags.includes(tag))), sentence: or },
    ],
  },
  {
    name: 'other-parent',
    does: 'reads the list of the pipeline asked for before',
    strikes: [elsewhere('listPipelineSchedules'), elsewhere('listLogs')],
  },
]
