import { asked, named, type Operator } from '../mutant.ts'
import {
  documentedParameters,
  guardsOf,
  listIn,
  numbers,
  paged,
  parameter,
  queryStrike,
  repagedStrikes,
  withQuery,
} from './list-strikes.ts'

/** What goes wrong with limits, offsets and other parameters. */
export const pageOperators: readonly Operator[] = [
  {
    name: 'parameter-ignored',
    does: 'does not see a query parameter',
    strikes: documentedParameters().map(([operation, name]) =>
      queryStrike(operation, name, guardsOf(operation), () => ({ [name]: undefined })),
    ),
  },
  {
    name: 'limit-one-more',
    does: 'returns one item more than the limit',
    strikes: paged.map((operation) =>
      queryStrike(operation, '_limit', guardsOf(operation), (value) => ({
        _limit: numbers((n) => n + 1)(value),
      })),
    ),
  },
  {
    name: 'limit-zero-is-none',
    does: 'takes a limit of 0 for no limit',
    strikes: paged.map((operation) =>
      queryStrike(operation, '_limit', named('always'), (value) => ({
        _limit: value === '0' ? undefined : value,
      })),
    ),
  },
  {
    name: 'limit-of-last',
    does: 'takes the limit of the request before',
    strikes: (['listBackfills', 'listOauthAccessTokens'] as const).map((operation) => ({
      operation,
      aspect: '_limit',
      sentence: parameter(operation, '_limit'),
      guards: named('always'),
      wrong: () => () => {
        let last: string | null = null
        return (heard, ask) => {
          if (heard.operation !== operation) return ask()
          const before = last
          last = heard.query.get('_limit')
          return before === null ? ask() : ask({ path: withQuery(heard, { _limit: before }) })
        }
      },
    })),
  },
  ...([1, -1] as const).map(
    (step): Operator => ({
      name: step === 1 ? 'offset-one-more' : 'offset-one-less',
      does: `skips one item ${step === 1 ? 'more' : 'less'} than the offset`,
      strikes: paged.map((operation) =>
        queryStrike(operation, '_offset', guardsOf(operation, 'only-with-an-offset'), (value) => ({
          _offset: numbers((n) => n + step)(value),
        })),
      ),
    }),
  ),
  {
    name: 'offset-as-page',
    does: 'takes the offset for the number of a page',
    strikes: repagedStrikes('_offset', (records, offset, limit) =>
      limit === Number.POSITIVE_INFINITY
        ? records.slice(offset)
        : records.slice(offset * limit, offset * limit + limit),
    ),
  },
  {
    name: 'limit-from-the-start',
    does: 'counts the limit from the first item and not from the offset',
    strikes: repagedStrikes('_limit', (records, offset, limit) => records.slice(offset, limit)),
  },
  {
    name: 'limit-then-offset-from-the-end',
    does: 'skips items at the end',
    strikes: repagedStrikes('_offset', (records, offset, limit) =>
      records.slice(0, Math.max(0, records.length - offset)).slice(0, limit),
    ),
  },
  {
    name: 'past-the-end-starts-again',
    does: 'starts again where the offset is past the end',
    strikes: repagedStrikes('_offset', (records, offset, limit) =>
      records.slice(offset < records.length ? offset : 0).slice(0, limit),
    ),
  },
  {
    name: 'last-page-filled',
    does: 'fills the last page with items of the page before',
    strikes: repagedStrikes('_offset', (records, offset, limit) =>
      limit === Number.POSITIVE_INFINITY
        ? records.slice(offset)
        : records.slice(Math.max(0, Math.min(offset, records.length - limit))).slice(0, limit),
    ),
  },
  {
    name: 'page-before-filter',
    does: 'counts limit and offset before it filters',
    strikes: [
      {
        operation: 'listBackfills',
        aspect: 'pipeline_uuid',
        sentence: parameter('listBackfills', 'pipeline_uuid'),
        guards: named('always', 'laterPage', 'limited', 'offsetAlone', 'fromTheFourth'),
        wrong: (holds) => () => async (heard, ask) => {
          const wanted = heard.query.get('pipeline_uuid')
          if (heard.operation !== 'listBackfills' || wanted === null || !holds(asked(heard))) return ask()
          const reply = await ask({ path: withQuery(heard, { pipeline_uuid: undefined }) })
          const list = listIn(heard, reply)
          return list ? list.put(list.records.filter(({ pipeline_uuid }) => pipeline_uuid === wanted)) : reply
        },
      },
    ],
  },
]
