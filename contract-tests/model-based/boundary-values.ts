import type { ReceivedRecord } from '../runner/replies.ts'

export { backfillStatuses as statuses, blockLanguages, intervalTypes } from '../rules/fields.ts'

/*
 * Values that distinguish the correct interpretation of a sentence from similar wrong ones. Replies must show each of them
 * unchanged.
 */

/** Endings of names of pipelines, after a prefix of letters and digits. */
export const pipelineWords = [
  'orders', 'a-b-c-d', 'two--hyphens', 'ends-', 'x1-2-3', 'with_underscore-and-hyphen', '007', 'long-'.repeat(14),
] // biome-ignore format: one list

/** Names that a target may refuse, and must not change. */
export const oddPipelineWords = [
  'Größe-Süd',
  'UPPER-Case',
  'emoji-🚀',
  'two words',
  'two  blanks',
  'dot.ted',
  'per%cent',
] as const

/** A text that each common defect of storage changes: one value tests all of them in each situation. */
const everyLoss =
  'Ünï ☃ 🚀 caf\u00e9 cafe\u0301 zero\u200bwidth 42 "q" \' \\ / <b>&amp;</b> a+b 100%25 {{ x }} $HOME two  blanks\ttab CAPITALS .'

export const backfillNames = [
  'plain', 'Jürgen ☃', '🚀 four bytes', 'caf\u00e9 composed', 'cafe\u0301 decomposed', `quotes " ' \\ / <b>&amp;</b> end`,
  'trailing newline\n', ' edged ', 'dotted.key', 'a+b 100%25', 'tab\there, two  blanks', 'CAPITALS and small',
  'x'.repeat(200), `  ${everyLoss} `, `${everyLoss} `.repeat(3),
] // biome-ignore format: one list

/** Names that a parser may read as another value, or a condition as an empty one. */
export const literalNames = [
  '007', '0', 'None', 'false', 'undefined', 'NaN', '1e3', '[]', 'yes', 'null', 'true', '42', '{}', '-1', '2024-01-01',
] as const // biome-ignore format: one list

/** Names of blocks: letters, digits and blanks, with specified uuids; replies show them unchanged. */
export const blockNames = [
  'load', 'load users', 'one two three', 'a1 b2', 'double  blank', 'under_score name', '9 lives', 'Mixed Case', 'long name '.repeat(7).trim(),
] // biome-ignore format: one list

/** Updates that set attributes to null, which a target may refuse. */
export const nulls: readonly ReceivedRecord[] = [
  { interval_units: null }, { interval_type: null }, { variables: null }, { start_datetime: null }, { end_datetime: null },
  { interval_units: null, interval_type: 'day', name: 'null beside others' },
] // biome-ignore format: one list

/** An object with more than ten members, which each common defect of storage changes. */
export const everyMember: ReceivedRecord = {
  7: 'a key of digits',
  zero: 0,
  no: false,
  empty: '',
  none: null,
  list: [],
  object: {},
  one: ['alone'],
  nested: [[], {}, [1, { x: null }, 'two']],
  'dotted.key': 1,
  'ключ ☃': 'значение 🚀 cafe\u0301',
  snake_key: { camelKey: { 'kebab-key': { PascalKey: { _id: 1, id: 2, type: 'x', class: 'y', $ref: 'z' } } } },
  Key: 'Two  Blanks ',
  KEY: `<b>&amp;</b> ${everyLoss}\r\nand a second line\n`,
  float: 123.456789012345,
  // Numbers beyond 32 bits, and with an exponent.
  large: 9_007_199_254_740_991,
  numbers: [0.1, -1, -2.5e-9, 1e21, 2_147_483_648, -4_294_967_297],
  date: '2026-01-31',
  timestamp: '2026-01-31T10:00:00Z',
  off: 'no',
  exponent: '1e3',
  // Texts that look like dates, values of YAML, numbers or code.
  texts: [
    '10:30', 'off', 'NULL', 'true', '42', '007', '0x1F', ' ', '~', 'NaN', '[1]', '{"a":1}', '{{ x }}', '$HOME', '%s', "it's", 'a\u2028b', 'a\u00a0b',
  ],
  ' edged key ': 1,
  // Empty and repeated elements, and more elements, members and characters than a limit may allow.
  elements: ['', null, 'twice', 'twice', 1, 1, false, false],
  long: `${everyLoss} `.repeat(12),
  many: Array.from({ length: 120 }, (_, index) => index),
  members: Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`member ${index}`, index])),
  deep: { a: { b: { c: { d: { e: { f: { g: [[[['h']]]] } } } } } } },
} // biome-ignore format: values of a kind on a line

export const variables: readonly ReceivedRecord[] = [
  {},
  everyMember,
  { zero: 0, no: false, empty: '', list: [], object: {} },
  { a: null },
  { more: true, ...everyMember },
]

/** The same, with reserved names of languages and databases, since a variable may have any name. */
const anyMember: ReceivedRecord = {
  constructor: 'x',
  hasOwnProperty: null,
  toString: 0,
  length: 3,
  '': { '': null },
  $set: { $gt: 1 },
  ...everyMember,
}

/** Bodies of triggers, which the run shows as event variables. */
export const eventVariables: readonly ReceivedRecord[] = [
  {},
  anyMember,
  { pipeline_run: { variables: { inner: 1 } } },
  { a: null },
  { id: 7, status: 'failed', token: 'not-one', variables: { a: 1 }, ...anyMember },
  anyMember,
]

/**
 * Dates, including those that summer time skips in Europe, America and Australia, and noon on a day of the first week of the
 * next year; and one whose seconds have more than 32 bits.
 */
export const datetimes = [
  '2024-02-29 23:59:59', '2038-01-19 03:14:08', '2024-12-31 12:00:01', '2000-02-29 00:00:00', '2026-03-29 02:30:00', '2026-03-08 02:30:00',
  '2026-10-04 02:30:00',
] // biome-ignore format: one list

/** Names that a target may refuse for their length or invisible characters, but must not change. */
export const oddNames = ['long '.repeat(60).trim(), 'no\u00a0break, \ufeffmark'] as const

/** Updates that a target may refuse, since sizes are not specified, but must not change. */
export const oddUpdates: readonly ReceivedRecord[] = [
  { name: oddNames[0] },
  // Few dates: see `planned-dates.ts`.
  { start_datetime: '1969-07-20 20:17:40', end_datetime: '2040-02-29 12:00:00', interval_type: 'year', interval_units: 7 },
  { variables: anyMember },
  { name: oddNames[1] },
] // biome-ignore format: one line each

/** Content that a column or a limit may cut. */
export const longContent = 'x'.repeat(70_000)

export const intervalUnits = [1, 2, 7, 365, 100_000] as const
/** Each type with a number of units that is one unit of another type. */
export const intervals = [
  ['second', 60], ['minute', 60], ['hour', 24], ['day', 7], ['week', 1], ['month', 12], ['year', 1], ['custom', 100_000],
] as const // biome-ignore format: one list

export const pipelineTypes = ['python', 'integration', 'pyspark', 'streaming'] as const
export const blockTypes = [
  'data_loader', 'transformer', 'data_exporter', 'custom', 'sensor', 'scratchpad', 'markdown', 'dbt', 'extension',
  'global_data_product', 'callback', 'conditional', 'chart',
] as const // biome-ignore format: one list

/** Returns values that are near a listed one, and not in the list. */
export const nearListed = (listed: string): readonly string[] => [listed.toUpperCase(), ` ${listed} `]

/** Types of blocks that may be outside the graph of their pipeline, in separate lists (`callback-lists`). */
export const besideTheGraph: readonly string[] = ['callback', 'conditional', 'chart']

/** Content of a block that each common defect of storage changes, with newlines in every form. */
export const everyContent = ` ${everyLoss} </script>\u2028\ufeff\u00a0\r\n\ttab\rand a return alone\n\n`

/** Contents that a parser may read as blank or as another value, and one that begins with a byte order mark. */
export const literalContents = [' ', '42', '{"a":  1.0}', `\ufeff${everyContent}`, 'null', '\n'] as const

/** Every property of a configuration. */
export const everyConfiguration = {
  data_provider: 'Postgres',
  data_provider_database: 'Sales',
  data_provider_profile: 'dev',
  data_provider_schema: everyLoss,
  data_provider_table: 'orders & <b>Ünï ☃</b>  ',
  export_write_policy: 'fail',
  use_raw_sql: 'true',
} as const

/** Values of new blocks, except for name and type. */
export const blockValues: readonly ReceivedRecord[] = [
  {},
  { content: '', config: everyMember },
  { content: 'First line/nSecond line/n', language: 'python', priority: 0, config: everyMember },
  { content: everyContent, language: 'sql', configuration: { ...everyConfiguration, data_provider: '', use_raw_sql: 'false', export_write_policy: 'replace' } },
  { content: everyContent, config: { owner: 'Sales', limit: 0, ...everyMember }, priority: 1 },
  { content: everyContent.repeat(40), configuration: everyConfiguration },
  { content: everyContent, configuration: { use_raw_sql: 'true', export_write_policy: 'append', data_provider_schema: everyLoss }, config: {} },
  { config: everyMember, language: 'yaml', content: '0' },
  { language: 'markdown', configuration: {}, priority: 0, content: `# Head\n${everyContent}` },
  { content: everyContent, priority: 2, config: everyMember },
  { language: 'r', content: ` ${everyContent}`, config: everyMember },
] // biome-ignore format: one line each

export const tags = ['red', 'blue', 'Red', 're', 'red green', 'ü & ö=1', '100%'] as const

/** Texts that a database may treat as equal to a uuid: with a blank at the end, an accent, or `_` for a letter. */
export const alikeUuids: readonly ((uuid: string) => string)[] = [
  (uuid) => `${uuid} `,
  (uuid) => uuid.replace(/[aeiou](?=[^aeiou]*$)/, (letter) => `${letter}\u0301`.normalize()),
  (uuid) => uuid.replace(/[a-z0-9](?=[^a-z0-9]*$)/, '_'),
]

/** Texts that resemble a uuid. */
export const nearUuids: typeof alikeUuids = [
  (uuid) => uuid.toUpperCase(),
  (uuid) => uuid.slice(0, -1),
  (uuid) => `${uuid}_`,
  (uuid) => `${uuid.slice(0, -1)}%`,
  (uuid) => ` ${uuid}`,
  ...alikeUuids,
]

/** The same, and wildcards; only reads use them. */
export const nearFilters: typeof nearUuids = [...nearUuids, () => '*', () => '%']

/** Texts that resemble an id. */
export const nearIds: readonly ((id: string) => string)[] = [
  (id) => `${id}x`,
  (id) => `-${id}`,
  (id) => `${id}.5`,
  (id) => `${id},${id}`,
]

/** The id and the token of a schedule, which trigger it. */
export interface TriggerPath {
  readonly id: string
  readonly token: string
}

const inOtherCase = (text: string) => (text.toUpperCase() === text ? text.toLowerCase() : text.toUpperCase())

/** Pairs that resemble the id and the token of a schedule. */
export const nearTriggers: readonly ((own: TriggerPath, otherTokens: readonly string[]) => TriggerPath)[] = [
  ({ id, token }, [other]) => ({ id, token: other ?? inOtherCase(token) }),
  ({ id, token }) => ({ id, token: inOtherCase(token) }),
  ({ id, token }) => ({ id, token: token.slice(0, -1) }),
  ({ id, token }) => ({ id, token: `${token}0` }),
  ({ id, token }) => ({ id, token: [...token].reverse().join('') }),
  ({ id, token }) => ({ id: `${id}x`, token }),
  ({ id, token }) => ({ id: `${id}.5`, token }),
  ({ id, token }) => ({ id, token: `${token} ` }),
  ({ token }) => ({ id: '999999999', token }),
]

/** The numbers of the most different ones. */
export const [wrongToken, wrongId] = [3, nearTriggers.length - 1]
