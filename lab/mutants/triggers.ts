import type { Json } from '../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../contract-tests/runner/is-object.ts'
import type { OperationFacts } from '../../contract-tests/runner/operation-facts.ts'
import type { MutantRequest } from './serve-mutant.ts'

/** A request, and one record of its reply or the record that it sends. */
export interface Situation {
  readonly request: MutantRequest
  readonly record: Json
  /** The position in the list, 0 for a single record. */
  readonly index: number
  /** The attribute that the mutant changes. */
  readonly attribute: string | undefined
}

/** Decides in which situations a mutant differs from the correct server. */
export type Applies = (situation: Situation) => boolean

/** A named condition under which a mutant differs. */
export interface Trigger {
  readonly name: string
  /** The operations on which the condition can be true and observed. */
  readonly fits: (facts: OperationFacts, attribute: string | undefined) => boolean
  readonly applies: Applies
  /** The test of the changed attribute's value, if the condition is one. */
  readonly ofValue?: (value: unknown) => boolean
}

type Row = readonly [Trigger['fits'], Applies]
type RequestRow = readonly [Trigger['fits'], (request: MutantRequest) => boolean]

const any = () => true
const isList: Trigger['fits'] = ({ action }) => action === 'list'
const has =
  (...names: string[]): Trigger['fits'] =>
  ({ parameters, stated }) =>
    names.some((name) =>
      parameters.some((own) => own.name === name && own.stated?.section === stated.section),
    )
const isOf =
  (...plurals: string[]): Trigger['fits'] =>
  ({ plural }) =>
    plurals.includes(plural)
const only =
  (operation: string): Trigger['fits'] =>
  (facts) =>
    facts.operation === operation
/** A new backfill has neither a status nor an interval. */
const hasState: Trigger['fits'] = ({ plural, action }) => plural === 'backfills' && action !== 'create'
const sendsMuch: Trigger['fits'] = ({ operation }) => ['updateBackfill', 'createBlock'].includes(operation)
const filters = ['pipeline_uuid', 'tag[]']
const isFilterable: Trigger['fits'] = (facts, attribute) =>
  isList(facts, attribute) && has(...filters)(facts, attribute)
const isFiltered = ({ query }: MutantRequest) => filters.some((name) => query.has(name))
const countOf = ({ request, record }: Situation) => (isObject(request.body) ? Object.keys(record).length : 0)

function isEmptyValue(value: unknown): boolean {
  if (value === null || value === 0 || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** Tests the texts and keys of a value, at any depth. */
function hasText(value: unknown, pattern: RegExp): boolean {
  if (typeof value === 'string') return pattern.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([key, inner]) => pattern.test(key) || hasText(inner, pattern))
}

const attributeIs =
  (test: (value: unknown) => boolean): Applies =>
  ({ record, attribute }) =>
    attribute !== undefined && attribute in record && test(record[attribute])
const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 0)

const byRequest = {
  always: [any, any],
  'from-the-second-request': [any, ({ nth }) => nth >= 1],
  'from-the-fourth-request': [any, ({ nth }) => nth >= 3],
  'every-third-request': [any, ({ nth }) => nth % 3 === 2],
  'after-an-error': [any, ({ isAfterError }) => isAfterError],
  'while-another-is-answered': [any, ({ isOverlapping }) => isOverlapping],
  'only-with-an-offset': [has('_offset'), ({ query }) => Number(query.get('_offset')) > 0],
  'only-with-a-limit': [has('_limit'), ({ query }) => query.has('_limit')],
  'only-with-an-offset-and-no-limit': [
    has('_offset'),
    ({ query }) => query.has('_offset') && !query.has('_limit'),
  ],
  'only-without-the-filter': [isFilterable, (request) => !isFiltered(request)],
  'only-with-the-filter': [isFilterable, isFiltered],
  'only-with-the-run-count': [has('include_run_count'), ({ query }) => query.has('include_run_count')],
  'only-with-schedules': [has('include_schedules'), ({ query }) => query.has('include_schedules')],
  'only-when-forced': [has('force'), ({ query }) => query.has('force')],
  'only-when-not-forced': [has('force'), ({ query }) => !query.has('force')],
  'only-with-the-block-type': [has('block_type'), ({ query }) => query.has('block_type')],
  'only-with-the-key-in-the-query': [any, ({ query }) => query.has('api_key')],
  'only-with-the-token-in-a-cookie': [
    any,
    ({ headers }) => (headers.get('cookie') ?? '').includes('oauth_token='),
  ],
  'only-after-an-update': [
    only('updateBackfill'),
    ({ updated, parameters }) => updated.has(Number(parameters.backfill_id)),
  ],
} as const satisfies Readonly<Record<string, RequestRow>>

const bySentRecord = {
  'only-when-sent-alone': [only('updateBackfill'), (situation) => countOf(situation) === 1],
  'only-when-sent-with-others': [sendsMuch, (situation) => countOf(situation) > 1],
  'only-when-null-zero-false-or-empty': [
    ({ writes }, attribute) => writes.some(({ name, values }) => name === attribute && values === undefined),
    attributeIs(isEmptyValue),
  ],
} as const satisfies Readonly<Record<string, Row>>

const byRecord = {
  'only-later-items': [isList, ({ index }) => index > 0],
  'only-the-first-item': [isList, ({ index }) => index === 0],
  'only-from-the-third-item': [isList, ({ index }) => index > 1],
  'only-from-the-eleventh-item': [
    (facts, attribute) =>
      isList(facts, attribute) && isOf('backfills', 'pipeline_schedules')(facts, attribute),
    ({ index }) => index > 9,
  ],
  'only-updated-records': [hasState, ({ request, record }) => request.updated.has(record.id)],
  'only-records-never-updated': [hasState, ({ request, record }) => !request.updated.has(record.id)],
  'only-beyond-ascii': [
    isOf('pipelines', 'blocks', 'backfills', 'pipeline_runs'),
    ({ record: { name, content, event_variables } }) =>
      hasText({ name, content, event_variables }, /[^\u0000-\u007f]/),
  ],
  'only-long-names': [
    isOf('pipelines', 'blocks', 'backfills'),
    ({ record }) => String(record.name).length > 64,
  ],
  'only-streaming-pipelines': [isOf('pipelines'), ({ record }) => record.type === 'streaming'],
  'only-integration-pipelines': [isOf('pipelines'), ({ record }) => record.type === 'integration'],
  'only-pipelines-with-blocks': [
    (facts) => facts.plural === 'pipelines' && facts.action !== 'create',
    ({ record }) => lengthOf(record.blocks) > 0,
  ],
  'only-callbacks-conditionals-and-charts': [
    isOf('blocks'),
    ({ record }) => ['callback', 'conditional', 'chart'].includes(String(record.type)),
  ],
  'only-dbt-blocks': [isOf('blocks'), ({ record }) => record.type === 'dbt'],
  'only-sensors': [isOf('blocks'), ({ record }) => record.type === 'sensor'],
  'only-sql-blocks': [isOf('blocks'), ({ record }) => record.language === 'sql'],
  'only-blocks-that-depend-on-others': [isOf('blocks'), ({ record }) => lengthOf(record.upstream_blocks) > 0],
  'only-running-backfills': [hasState, ({ record }) => record.status === 'running'],
  'only-cancelled-backfills': [hasState, ({ record }) => record.status === 'cancelled'],
  'only-custom-intervals': [hasState, ({ record }) => record.interval_type === 'custom'],
  'only-untagged-schedules': [
    isOf('pipeline_schedules'),
    ({ record }) => Array.isArray(record.tags) && record.tags.length === 0,
  ],
  'only-schedules-with-two-tags': [isOf('pipeline_schedules'), ({ record }) => lengthOf(record.tags) > 1],
  'only-runs-with-variables': [
    isOf('pipeline_runs'),
    ({ record }) => isObject(record.event_variables) && Object.keys(record.event_variables).length > 0,
  ],
} as const satisfies Readonly<Record<string, Row>>

const byValue = {
  'only-where-null-zero-false-or-empty': isEmptyValue,
  'only-where-neither-null-nor-empty': (value: unknown) => !isEmptyValue(value),
} as const

/** The name of a trigger. */
export type TriggerName =
  | keyof typeof byRequest
  | keyof typeof bySentRecord
  | keyof typeof byRecord
  | keyof typeof byValue

const toTriggers = (rows: Readonly<Record<string, Row>>): Trigger[] =>
  Object.entries(rows).map(([name, [fits, applies]]) => ({ name, fits, applies }))

const requestTriggers: readonly Trigger[] = [
  ...Object.entries<RequestRow>(byRequest).map(([name, [fits, test]]) => ({
    name,
    fits,
    applies: ({ request }: Situation) => test(request),
  })),
  ...toTriggers(bySentRecord),
]
const recordTriggers: readonly Trigger[] = [
  ...toTriggers(byRecord),
  ...Object.entries(byValue).map(([name, ofValue]) => ({
    name,
    fits: (_: OperationFacts, attribute: string | undefined) => attribute !== undefined,
    applies: attributeIs(ofValue),
    ofValue,
  })),
]

/** Triggers that operators name explicitly, because they do not matter to most changes. */
const explicit: readonly TriggerName[] = [
  'only-with-the-key-in-the-query',
  'only-with-the-token-in-a-cookie',
  'every-third-request',
]

/** Tests whether only operators that name a trigger have it. */
export const isExplicit = (trigger: string): boolean => explicit.some((name) => name === trigger)

/** Finds triggers by name. */
export const named = (...names: readonly TriggerName[]): readonly Trigger[] =>
  [...requestTriggers, ...recordTriggers].filter(({ name }) => names.some((wanted) => wanted === name))

/** Finds the triggers that an operation can provoke; `per` limits them to those that test the request. */
export function fittingTriggers(
  facts: OperationFacts,
  attribute?: string,
  per: 'request' | 'record' | 'both' = 'both',
): Trigger[] {
  const candidates = [
    ...(per === 'record' ? [] : requestTriggers),
    ...(per === 'request' ? [] : recordTriggers),
  ]
  return candidates.filter(({ name, fits }) => !isExplicit(name) && fits(facts, attribute))
}
