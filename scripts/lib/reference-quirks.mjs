// Generates the tables of docs/reference/quirks.md from the operations and the profiles.
import { createUnderstudy } from '../../dist/index.js'
import { buildDocument } from '../../dist/openapi/index.js'
import { profiles } from '../../dist/profiles/index.js'
import { table } from './reference-pages.mjs'

const code = (value) => `\`${value}\``
/** A text that ends a sentence, which has a full stop of its own. */
const last = (text) => code(text.replace(/\.$/, ''))
const list = (values) => values.map(code).join(', ')

/** The exceptional properties of each operation. */
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

/** The deviations of each observed server, from its profile. */
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
