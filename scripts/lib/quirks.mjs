// What is peculiar about the API, each with the rules of the judge that hold it; and the tables of docs/reference/quirks.md.
import { rules } from '../../dist/contract-tests/index.js'
import { createUnderstudy } from '../../dist/index.js'
import { buildDocument } from '../../dist/openapi/index.js'
import { profiles } from '../../dist/profiles/index.js'
import { table } from './reference-pages.mjs'

const code = (value) => `\`${value}\``
/** A text that ends a sentence, which has a full stop of its own. */
const last = (text) => code(text.replace(/\.$/, ''))
const list = (values) => values.map(code).join(', ')

const quirks = {
  'HTTP says 200 to everything; what went wrong is in the body.': [
    'errors/http-200-unknown-record',
    'errors/code-not-200',
  ],
  'The body of an error has a `status` of its own, which is 200, too.': ['errors/body-status'],
  'Timestamps have seconds where a backfill is created, updated or deleted, and microseconds elsewhere.': [
    'timestamps/backfill-create',
    'timestamps/backfill-update',
    'timestamps/backfill-delete',
    'timestamps/schedules',
  ],
  'A created block is answered with eight fields.': ['block-create/eight-fields'],
  '`content` and `outputs` are there only where a block is read.': [
    'block-read/content',
    'block-read/outputs',
    'block-delete/no-content',
    'block-delete/no-outputs',
  ],
  '`extensions` is there only where one pipeline is read.': ['pipeline-extensions/present'],
  'Hyphens in the name of a pipeline become underscores in its uuid; in that of a block, spaces do.': [
    'pipeline-new/uuid-hyphens',
    'block-uuid/spaces',
  ],
  'Each switch has its own spelling: `include_schedules=1`, `include_run_count=true`, `show_all=1`, `force=True`.':
    [
      'pipeline-read/schedules-when-asked',
      'backfill-list/run-count',
      'tokens/show-all',
      'block-delete/forced',
    ],
  'Several `tag[]` match with OR.': ['schedule-list/two-tags', 'limits/tags-or'],
  'Newlines in content may be written as `/n`, and come back so.': ['block-create/newlines'],
  'One sample creates a backfill with PUT.': ['backfill-create/put-sample'],
  'The trigger takes any JSON object, and its token stands in the path.': [
    'trigger/nested-variables',
    'trigger/wrong-token',
  ],
  'The list of logs has one entry with two lists of files, and its `metadata` is empty.': [
    'logs/metadata',
    'logs-fields/block_run_logs',
    'logs-fields/pipeline_run_logs',
  ],
  'A session has two tokens: the raw one for a cookie, the decoded one for a header.': [
    'authentication/raw-token-cookie',
    'authentication/decoded-token-header',
  ],
}

/** What is peculiar, where the document says so, and what the judge holds of it. */
export function quirkTable() {
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  const rows = Object.entries(quirks).map(([says, ids]) => {
    const unknown = ids.filter((id) => !byId.has(id))
    if (unknown.length > 0) throw new Error(`The judge has no rule ${unknown.join(', ')}.`)
    const lines = new Map(ids.map((id) => [byId.get(id).line, byId.get(id).section]))
    const sections = [...new Set(lines.values())].map((section) => {
      const own = [...lines.keys()].filter((line) => lines.get(line) === section)
      return `${section} (${own.join(', ')})`
    })
    return [says, sections.join(', '), list(ids)]
  })
  return table(['quirk', 'section (lines)', 'rules'], rows)
}

/** Where an operation is otherwise than the rest of them. */
export function operationTable() {
  const operations = new Map(
    createUnderstudy().endpoints.map(({ operation, resource }) => [operation.id, { operation, resource }]),
  )
  const described = Object.values(buildDocument().paths).flatMap((methods) => Object.values(methods))
  const rows = [...operations.values()].flatMap(({ operation, resource }) => {
    const { parameters = [] } = described.find(({ operationId }) => operationId === operation.id)
    const says = ({ name }) => parameters.find((parameter) => parameter.name === name).description
    const said = [
      ...presentedOtherwise(operation, resource),
      ...(operation.timestamps === 'seconds' ? ['Timestamps have seconds.'] : []),
      ...(operation.metadata === 'empty' ? ['`metadata` is empty.'] : []),
      ...(operation.credentials === 'none' ? ['No credentials are needed.'] : []),
      ...(operation.body === 'free-form' ? ['Any JSON object is taken.'] : []),
      ...operation.routes
        .slice(1)
        .filter(({ basis }) => basis === 'documented')
        .map(({ method, path }) => `Also reached by ${code(`${method} ${path}`)}.`),
      ...(operation.parameters ?? []).filter(isOwn).map((parameter) => toText(parameter, says(parameter))),
    ]
    return said.length > 0 ? [[code(operation.id), said.join(' ')]] : []
  })
  return table(['operation', 'what is otherwise'], rows)
}

function presentedOtherwise({ presents }, resource) {
  if (presents === undefined) return []
  const more = presents.filter((name) => !resource.presents.includes(name))
  return resource.presents.every((name) => presents.includes(name))
    ? [`Carries ${list(more)} besides.`]
    : [`Carries ${list(presents)}, and nothing else.`]
}

/** A parameter that is not of every list. */
const isOwn = ({ name }) => name !== '_limit' && name !== '_offset'

function toText({ name, type, allowed, adds }, description) {
  const spelled = adds
    ? adds.when.filter((text) => text !== '')
    : (allowed ?? []).filter((text) => text !== '')
  const values = spelled.length > 0 ? ` (${list(spelled)})` : ` (${type})`
  return `${code(name)}${values}: ${description}`
}

/** What each server that was observed does otherwise, as its profile says it. */
export function profileSections() {
  return Object.values(profiles)
    .map(({ name, switches, errors, resources, operations }) => {
      const rows = [
        ...Object.entries(switches).map(([id, value]) => [`[${code(id)}](assumptions.md)`, code(value)]),
        ...errors.map((error) => [whenOf(error.when), insteadOf(error)]),
        ...Object.entries(resources).map(([plural, own]) => [code(plural), resourceSays(own)]),
        ...Object.entries(operations).map(([id, own]) => [code(id), operationSays(own)]),
      ]
      return `## With the profile \`${name}\`

What \`createUnderstudy({ profile })\` and \`serve --profile ${name}\` do otherwise, as that server was seen to.

${table(
  ['what', 'with the profile'],
  rows.filter(([, says]) => says !== ''),
)}`
    })
    .join('\n\n')
}

function whenOf({ type, operation, missing }) {
  const of = operation
    ? ` of ${code(operation)}`
    : missing
      ? ` of a missing ${missing.replaceAll('_', ' ')}`
      : ''
  return `the error ${code(type)}${of}`
}

function insteadOf({ httpStatus, isEmpty, code: status, type, message, exception }) {
  return [
    httpStatus && `HTTP ${httpStatus}.`,
    isEmpty && 'No body.',
    status && `Code ${status}.`,
    type && `Type ${code(type)}.`,
    message && `Says ${last(message)}.`,
    exception && `No type and no outer status, but \`exception\`: ${last(exception)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

function resourceSays({ adds, knows, computes, formats }) {
  const forms = Object.entries(formats ?? {}).map(([name, format]) => `${code(name)} ${formatNames[format]}`)
  return [
    adds && `Carries ${list(Object.keys(adds))} besides.`,
    knows && `Can carry ${list(Object.keys(knows))}.`,
    computes && `Tells ${list(Object.keys(computes))} in its own way.`,
    forms.length > 0 && `Writes ${forms.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

const formatNames = {
  seconds: 'with seconds',
  iso: 'with a `T`',
  'without-offset': 'without an offset',
  shortest: 'without an offset, and without a part of a second where there is none',
  microseconds: 'with microseconds',
}

function operationSays(own) {
  const {
    presents,
    parameters,
    withoutParameters,
    writes,
    routes,
    without,
    ignores,
    narrows,
    refuses,
    fails,
    lacks,
    adds,
  } = own
  return [
    presents && `Carries ${list(presents)}.`,
    adds && `Carries ${list(Object.keys(adds))} besides.`,
    lacks && `Lacks ${list(lacks)}.`,
    routes && `Is at ${list(routes.map(({ method, path }) => `${method} ${path}`))}, too.`,
    without && `Is not reached by ${list(without)}.`,
    parameters && `Takes ${list(parameters.map(({ name }) => name))}.`,
    withoutParameters && `Ignores the parameters ${list(withoutParameters)}.`,
    writes && `Lets clients write ${list(Object.keys(writes))}.`,
    ignores && `Ignores ${list(ignores)}.`,
    narrows && 'Takes some attributes otherwise.',
    refuses && 'Refuses more.',
    fails && 'Answers an error though it has done what was asked.',
  ]
    .filter(Boolean)
    .join(' ')
}
