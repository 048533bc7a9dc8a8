import type { ParsedReply } from '../../../contract-tests/mutants/define-mutant.ts'
import { asked, facts, named, type Operator, sentence } from '../mutant.ts'
import { isErrorReply } from '../wrong-server.ts'
import { all, everyList, guardsOf, listIn, listStrikes, unasked } from './list-strikes.ts'

/** What goes wrong with the items of lists. */
export const itemOperators: readonly Operator[] = [
  {
    name: 'item-lost',
    does: 'leaves the last item of a list out',
    strikes: listStrikes(everyList, 'items', all, (records) => records.slice(0, -1)),
  },
  {
    name: 'item-lost-among-many',
    does: 'leaves out the third item and those behind it',
    strikes: listStrikes(everyList, 'items', all, (records, { query }) =>
      query.has('_limit') ? records : records.slice(0, 2),
    ),
  },
  {
    name: 'item-twice',
    does: 'lists the last item twice',
    strikes: listStrikes(everyList, 'items', all, (records) => [...records, ...records.slice(-1)]),
  },
  {
    name: 'first-for-all',
    does: 'lists the first item as often as there are items',
    strikes: listStrikes(everyList, 'items', all, (records) => records.map(() => records[0])),
  },
  {
    name: 'single-item-unlisted',
    does: 'gives a list of one item as that item',
    strikes: listStrikes(
      everyList,
      'items',
      () => sentence('What the service does', 'carries a list nests it'),
      (records) => (records.length === 1 ? records[0] : records),
    ),
  },
  {
    name: 'empty-list-null',
    does: 'gives null for an empty list',
    strikes: listStrikes(
      ['listBackfills', 'listPipelineSchedules', 'listOauthAccessTokens'],
      'items',
      () => sentence('What the service does', 'carries a list nests it'),
      (records) => (records.length === 0 ? null : records),
    ),
  },
  {
    name: 'empty-list-refused',
    does: 'answers an empty list with an error',
    strikes: (['listBackfills', 'listPipelineSchedules', 'listOauthAccessTokens'] as const).map(
      (operation) => ({
        operation,
        aspect: 'items',
        sentence: sentence('What the service does', 'carries a list nests it'),
        guards: guardsOf(operation),
        wrong: (holds) => () => async (heard, ask) => {
          const reply = await ask()
          const list = heard.operation === operation && holds(asked(heard)) ? listIn(heard, reply) : undefined
          // A limit of 0 may be refused.
          if (list?.records.length !== 0 || heard.query.get('_limit') === '0') return reply
          return {
            ...reply,
            body: { error: { code: 404, message: 'Nothing found.', type: 'record_not_found' }, status: 200 },
          }
        },
      }),
    ),
  },
  {
    name: 'list-of-before',
    does: 'shows the list as the same request showed it before',
    strikes: everyList.map((operation) => ({
      operation,
      aspect: 'items',
      sentence: all(operation),
      guards: guardsOf(operation, 'only-the-first-request'),
      wrong: (holds) => () => {
        const before = new Map<string, ParsedReply>()
        return async (heard, ask) => {
          const reply = await ask()
          if (heard.operation !== operation || isErrorReply(reply)) return reply
          const key = `${heard.path}${heard.search}`
          const old = before.get(key)
          before.set(key, reply)
          return old !== undefined && holds(asked(heard)) ? old : reply
        }
      },
    })),
  },
  {
    name: 'listed-late',
    does: 'lists a new record only from the second read on',
    strikes: (['listPipelines', 'listBackfills'] as const).map((operation) => ({
      operation,
      aspect: 'items',
      sentence: all(operation),
      guards: named('always', 'filtered', 'unfiltered', 'limited', 'afterAnError').filter((guard) =>
        guard.fits(facts(operation), undefined),
      ),
      wrong: (holds) => () => {
        const seen = new Set<unknown>()
        return async (heard, ask) => {
          const reply = await ask()
          const list = heard.operation === operation ? listIn(heard, reply) : undefined
          if (!list) return reply
          const key = operation === 'listPipelines' ? 'uuid' : 'id'
          const old = new Set(seen)
          for (const record of list.records) seen.add(record[key])
          return holds(asked(heard)) && old.size > 0
            ? list.put(list.records.filter((record) => old.has(record[key])))
            : reply
        }
      },
    })),
  },
  {
    name: 'added-unasked',
    does: 'adds what only a parameter asks for',
    strikes: [
      unasked('listBackfills', 'include_run_count', 'total_run_count', 'true'),
      unasked('listPipelines', 'include_schedules', 'schedules', '1'),
      unasked('readPipeline', 'include_schedules', 'schedules', '1'),
    ],
  },
]
