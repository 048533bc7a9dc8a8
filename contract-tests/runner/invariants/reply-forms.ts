import type { Exchange } from '../client.ts'
import { isObject } from '../is-object.ts'
import type { OperationFacts } from '../operation-facts.ts'
import type { ReachedOperation } from '../operation-of.ts'
import { listIn, metadataIn, type ReceivedRecord } from '../replies.ts'
import type { InvariantCheck } from './invariant-check.ts'

/** Returns the flaw in the form of a reply as a whole. */
export function envelopeFlaw({ body, error }: Exchange, reached: ReachedOperation | undefined): unknown {
  if (!isObject(body)) return body === undefined ? { body: 'no JSON' } : { body }
  const key = reached && (reached.facts.action === 'list' ? reached.facts.plural : reached.facts.singular)
  const carried = key === undefined ? undefined : body[key]
  // An empty list is no record beside the error.
  const carries =
    carried !== undefined && carried !== null && !(Array.isArray(carried) && carried.length === 0)
  if (error !== undefined) return carries ? { beside: 'the error, there is a record' } : undefined
  if ('error' in body && body.error !== null) return { error: body.error }
  if (reached === undefined) return { [`neither error nor ${key ?? 'record'}`]: Object.keys(body) }
  const { facts } = reached
  // "It returns a payload with a `token` key": the specification does not show whether it is nested.
  if (facts.operation === 'createSession')
    return sessionIn(body)?.token === undefined ? { token: '(absent)' } : undefined
  if (facts.action !== 'list')
    return isObject(body[facts.singular])
      ? undefined
      : { [facts.singular]: body[facts.singular] ?? '(absent)' }
  if (!Array.isArray(body[facts.plural])) return { [facts.plural]: body[facts.plural] ?? '(absent)' }
  if (!(body[facts.plural] as unknown[]).every(isObject))
    return { [facts.plural]: 'an item that is no object' }
  return metadataFlaw(body.metadata, facts)
}

function metadataFlaw(metadata: unknown, { plural }: OperationFacts): unknown {
  // "The list response shape: not shown" (`pipelines-list-shape`).
  if (plural === 'pipelines') return undefined
  if (!isObject(metadata)) return { metadata: metadata ?? '(absent)' }
  if (plural === 'logs') return Object.keys(metadata).length === 0 ? undefined : { metadata }
  return undefined
}

export function sessionIn(body: ReceivedRecord): ReceivedRecord | undefined {
  return isObject(body.session) ? body.session : 'token' in body ? body : undefined
}

/** Checks the members of an error against their table. */
export function checkError(exchange: Exchange, check: InvariantCheck): void {
  const { body, error } = exchange
  if (error === undefined) return
  const status = isObject(body) ? body.status : undefined
  check('errors/body-status', status === 200, exchange, { status })
  check('errors/code', Number.isInteger(error.code), exchange, error.code)
  check('errors/code-not-200', error.code !== 200, exchange, error.code)
  check('errors/message', typeof error.message === 'string', exchange, error.message)
  const { type = '(absent)' } = error
  check('errors/type', typeof error.type === 'string', exchange, { 'error.type': type })
}

/** Checks the metadata beside a list against their table. */
export function checkMetadata(exchange: Exchange, { plural }: OperationFacts, check: InvariantCheck): void {
  const metadata = metadataIn(exchange)
  if (plural === 'pipelines') {
    const isList = listIn(exchange, plural) !== undefined && metadata !== undefined
    check('conventions/list-envelope', isList, exchange)
    if (metadata !== undefined && Object.hasOwn(metadata, 'next'))
      check('list-metadata/pipelines', typeof metadata.next === 'boolean', exchange, metadata)
  } else if (plural !== 'logs') {
    check('list-metadata/count', Number.isInteger(metadata?.count), exchange, metadata)
    check('list-metadata/next', typeof metadata?.next === 'boolean', exchange, metadata)
  }
}
