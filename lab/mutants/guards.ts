import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import type { OperationFacts } from '../../contract-tests/runner/operation-facts.ts'
import type { HeardRequest } from './wrong-server.ts'

/** Where a wrong server decides whether to be wrong: at a request, or at one record of its reply. */
export interface Situation {
  readonly heard: HeardRequest
  /** The record of the reply; of a request, the one that it sends. */
  readonly record: Json
  /** Its place in the list, 0 where there is none. */
  readonly index: number
  /** The attribute that the operator strikes. */
  readonly attribute: string | undefined
}

/** Tells whether a server is wrong in a situation. */
export type Holds = (situation: Situation) => boolean

/** When a server is wrong. */
export interface Guard {
  readonly name: string
  /** `record` guards look at one record of a reply, `request` guards at what was asked. */
  readonly looksAt: 'request' | 'record'
  /** The operations under which it can come true, and be seen. */
  readonly fits: (facts: OperationFacts, attribute: string | undefined) => boolean
  readonly holds: Holds
}

/** Whether the document lists a parameter where it describes the operation. */
const has = (name: string) => (facts: OperationFacts) =>
  facts.parameters.some((known) => known.name === name && known.stated?.section === facts.stated.section)
const isList = ({ action }: OperationFacts) => action === 'list'
const anyOperation = () => true
const sendsBody = ({ writes }: OperationFacts) => writes.length > 0
const sendsMuch = ({ operation }: OperationFacts) =>
  operation === 'updateBackfill' || operation === 'createBlock'
const isOf =
  (...plurals: string[]) =>
  ({ plural }: OperationFacts) =>
    plurals.includes(plural)

/** Tells whether a value is one that careless code takes for nothing. */
function isEmptyValue(value: unknown): boolean {
  if (value === null || value === 0 || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

function holdsText(value: unknown, pattern: RegExp): boolean {
  if (typeof value === 'string') return pattern.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => pattern.test(key) || holdsText(inner, pattern))
}

const beyondAscii = /[^\u0000-\u007f]/
const filters = ['pipeline_uuid', 'tag[]']
const sends = ({ heard, record }: Situation) => Object.keys(record).filter(() => isObject(heard.body)).length

const request = (name: string, fits: Guard['fits'], holds: Holds): Guard => ({
  name,
  looksAt: 'request',
  fits,
  holds,
})
const record = (name: string, fits: Guard['fits'], holds: Holds): Guard => ({
  name,
  looksAt: 'record',
  fits,
  holds,
})

/** Every guard; an operator names those under which it makes sense. */
export const guards = {
  always: request('always', anyOperation, () => true),
  fromTheSecond: request('from-the-second-request', anyOperation, ({ heard }) => heard.nth >= 1),
  fromTheFourth: request('from-the-fourth-request', anyOperation, ({ heard }) => heard.nth >= 3),
  onlyTheFirst: request('only-the-first-request', anyOperation, ({ heard }) => heard.nth === 0),
  everyThird: request('every-third-request', anyOperation, ({ heard }) => heard.nth % 3 === 2),
  afterAnError: request('after-an-error', anyOperation, ({ heard }) => heard.isAfterError),
  overlapping: request('while-another-is-answered', anyOperation, ({ heard }) => heard.isOverlapping),
  laterPage: request(
    'only-with-an-offset',
    has('_offset'),
    ({ heard }) => Number(heard.query.get('_offset')) > 0,
  ),
  limited: request('only-with-a-limit', has('_limit'), ({ heard }) => heard.query.has('_limit')),
  offsetAlone: request(
    'only-with-an-offset-and-no-limit',
    has('_offset'),
    ({ heard }) => heard.query.has('_offset') && !heard.query.has('_limit'),
  ),
  unfiltered: request(
    'only-without-the-filter',
    (facts) => isList(facts) && filters.some((name) => has(name)(facts)),
    ({ heard }) => !filters.some((name) => heard.query.has(name)),
  ),
  filtered: request(
    'only-with-the-filter',
    (facts) => isList(facts) && filters.some((name) => has(name)(facts)),
    ({ heard }) => filters.some((name) => heard.query.has(name)),
  ),
  counted: request('only-with-the-run-count', has('include_run_count'), ({ heard }) =>
    heard.query.has('include_run_count'),
  ),
  withSchedules: request('only-with-schedules', has('include_schedules'), ({ heard }) =>
    heard.query.has('include_schedules'),
  ),
  forced: request('only-when-forced', has('force'), ({ heard }) => heard.query.has('force')),
  unforced: request('only-when-not-forced', has('force'), ({ heard }) => !heard.query.has('force')),
  keyInQuery: request('only-with-the-key-in-the-query', anyOperation, ({ heard }) =>
    heard.query.has('api_key'),
  ),
  tokenInCookie: request('only-with-the-token-in-a-cookie', anyOperation, ({ heard }) =>
    (heard.headers.get('cookie') ?? '').includes('oauth_token='),
  ),
  sentAlone: request('only-when-sent-alone', sendsMuch, (situation) => sends(situation) === 1),
  sentWithOthers: request('only-when-sent-with-others', sendsMuch, (situation) => sends(situation) > 1),
  sentEmpty: request(
    'only-when-null-zero-false-or-empty',
    sendsBody,
    ({ record, attribute }) =>
      attribute !== undefined && attribute in record && isEmptyValue(record[attribute]),
  ),
  sentAgain: request(
    'only-after-an-update',
    ({ operation }) => operation === 'updateBackfill',
    ({ heard }) => heard.updated.has(Number(heard.parameters.backfill_id)),
  ),
  laterItems: record('only-later-items', isList, ({ index }) => index > 0),
  firstItem: record('only-the-first-item', isList, ({ index }) => index === 0),
  thirdItem: record('only-from-the-third-item', isList, ({ index }) => index > 1),
  updated: record('only-updated-records', isOf('backfills'), ({ heard, record }) =>
    heard.updated.has(record.id),
  ),
  neverUpdated: record(
    'only-records-never-updated',
    isOf('backfills'),
    ({ heard, record }) => !heard.updated.has(record.id),
  ),
  beyondAscii: record(
    'only-beyond-ascii',
    (facts) => !isOf('oauth_access_tokens', 'logs', 'sessions', 'pipeline_schedules')(facts),
    ({ record }) =>
      holdsText(
        { name: record.name, content: record.content, event_variables: record.event_variables },
        beyondAscii,
      ),
  ),
  longName: record(
    'only-long-names',
    isOf('pipelines', 'blocks', 'backfills'),
    ({ record }) => String(record.name).length > 64,
  ),
  empty: record(
    'only-where-null-zero-false-or-empty',
    (_, attribute) => attribute !== undefined,
    ({ record, attribute }) => attribute !== undefined && isEmptyValue(record[attribute]),
  ),
  full: record(
    'only-where-neither-null-nor-empty',
    (_, attribute) => attribute !== undefined,
    ({ record, attribute }) => attribute !== undefined && !isEmptyValue(record[attribute]),
  ),
  streaming: record(
    'only-streaming-pipelines',
    isOf('pipelines'),
    ({ record }) => record.type === 'streaming',
  ),
  integration: record(
    'only-integration-pipelines',
    isOf('pipelines'),
    ({ record }) => record.type === 'integration',
  ),
  withBlocks: record(
    'only-pipelines-with-blocks',
    (facts) => isOf('pipelines')(facts) && facts.action !== 'create',
    ({ record }) => Array.isArray(record.blocks) && record.blocks.length > 0,
  ),
  asideBlocks: record('only-callbacks-conditionals-and-charts', isOf('blocks'), ({ record }) =>
    ['callback', 'conditional', 'chart'].includes(String(record.type)),
  ),
  dbtBlocks: record('only-dbt-blocks', isOf('blocks'), ({ record }) => record.type === 'dbt'),
  sensorBlocks: record('only-sensors', isOf('blocks'), ({ record }) => record.type === 'sensor'),
  sqlBlocks: record('only-sql-blocks', isOf('blocks'), ({ record }) => record.language === 'sql'),
  dependantBlocks: record(
    'only-blocks-that-depend-on-others',
    isOf('blocks'),
    ({ record }) => Array.isArray(record.upstream_blocks) && record.upstream_blocks.length > 0,
  ),
  running: record('only-running-backfills', isOf('backfills'), ({ record }) => record.status === 'running'),
  cancelled: record(
    'only-cancelled-backfills',
    isOf('backfills'),
    ({ record }) => record.status === 'cancelled',
  ),
  custom: record(
    'only-custom-intervals',
    isOf('backfills'),
    ({ record }) => record.interval_type === 'custom',
  ),
  untagged: record(
    'only-untagged-schedules',
    isOf('pipeline_schedules'),
    ({ record }) => Array.isArray(record.tags) && record.tags.length === 0,
  ),
  twoTags: record(
    'only-schedules-with-two-tags',
    isOf('pipeline_schedules'),
    ({ record }) => Array.isArray(record.tags) && record.tags.length > 1,
  ),
  withVariables: record(
    'only-runs-with-variables',
    isOf('pipeline_runs'),
    ({ record }) => isObject(record.event_variables) && Object.keys(record.event_variables).length > 0,
  ),
} as const satisfies Readonly<Record<string, Guard>>

/** The name of a guard. */
export type GuardName = keyof typeof guards

/** The guards of a kind that fit an operation and one of its attributes. */
export function fittingGuards(
  facts: OperationFacts,
  attribute?: string,
  looksAt: readonly Guard['looksAt'][] = ['request', 'record'],
): Guard[] {
  return Object.values<Guard>(guards).filter(
    (guard) => !farFetched.includes(guard) && looksAt.includes(guard.looksAt) && guard.fits(facts, attribute),
  )
}

/** Where a credential stands has to do with credentials and errors; operators name these guards themselves. */
const farFetched: readonly Guard[] = [guards.keyInQuery, guards.tokenInCookie, guards.everyThird]
