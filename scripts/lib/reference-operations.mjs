// Generates the parts of docs/reference about the operations.
import { createUnderstudy } from '../../dist/index.js'
import { buildDocument } from '../../dist/openapi/index.js'
import { code, list, table } from './markdown.mjs'

/** Every path with its operation. */
export function operationTable() {
  const rows = Object.entries(buildDocument().paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [
      code(operation.operationId),
      code(`${method.toUpperCase()} ${path}`),
      operation['x-basis'],
      operation['x-section'],
      list(operation['x-assumptions'] ?? []),
    ]),
  )
  return { operations: table(['id', 'method and path', 'basis', 'section', 'assumptions'], rows) }
}

/** The exceptional properties of each operation. */
export function quirkTable() {
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
  return { operations: table(['operation', 'what is otherwise'], rows) }
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
