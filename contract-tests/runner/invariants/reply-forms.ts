import type { OperationId, RuleId } from '../../rules/index.ts'
import type { Exchange } from '../client.ts'
import { isObject } from '../is-object.ts'
import type { ReachedOperation } from '../operation-of.ts'
import { equal, listIn, metadataIn, recordIn } from '../replies.ts'
import type { InvariantCheck } from './invariant-check.ts'

/** Checks one rule in the exchange at hand. */
type Check = (id: RuleId, holds: boolean, received?: unknown) => void

/** The codes of errors about credentials, which may come from another part of the server than those about records. */
const credentialCodes: readonly unknown[] = [401, 403]

/** The rule about the HTTP status of an operation's errors. */
const statusOfErrors: Partial<Record<OperationId, RuleId>> = {
  readPipeline: 'errors/http-200-unknown-pipeline',
  deleteBackfill: 'errors/http-200-unknown-record',
  deleteBlock: 'errors/http-200-refusal',
  listPipelines: 'errors/http-200-credentials',
  createSession: 'errors/http-200-sign-in',
}

/** The rules that a reply to a creation, an update or a deletion carries the record under its name. */
const returnsRecord: Partial<Record<OperationId, readonly RuleId[]>> = {
  createPipeline: ['pipeline-create/returns-pipeline', 'conventions/record-envelope'],
  deleteBlock: ['block-delete/returns-block'],
  createBackfill: ['backfill-create/returns-backfill'],
  updateBackfill: ['backfill-update/returns-backfill'],
  deleteBackfill: ['backfill-delete/returns-backfill', 'backfill-states/removed-returned'],
}

/** The rules that a reply with a list contains the list under its name, and its metadata. */
const listForms: Partial<Record<OperationId, readonly [envelope: RuleId, metadata: RuleId]>> = {
  listPipelineSchedules: ['schedule-list/envelope', 'list-metadata/schedules'],
  listOauthAccessTokens: ['tokens/envelope', 'list-metadata/tokens'],
  listLogs: ['logs/envelope', 'logs/metadata'],
}

/** Checks the envelope of a reply: the record or list and its metadata, or the error with its members. */
export function checkReplyForm(
  exchange: Exchange,
  { facts }: ReachedOperation,
  checkExchange: InvariantCheck,
): void {
  const { body, error, httpStatus } = exchange
  const check: Check = (id, holds, ...received) => checkExchange(id, holds, exchange, ...received)
  check('conventions/json', isObject(body))
  const isList = facts.action === 'list'
  const carried = isList ? listIn(exchange, facts.plural) : recordIn(exchange, facts.singular)
  const isRefused = error !== undefined || httpStatus >= 400 || carried === undefined
  const statusRule = statusOfErrors[facts.operation]
  if (error === undefined && carried !== undefined)
    check('errors/http-200-success', httpStatus === 200, httpStatus)
  else if (statusRule !== undefined && isAbout(statusRule, error))
    check(statusRule, httpStatus === 200, httpStatus)
  if (isRefused && facts.operation === 'readPipeline') check('errors/under-error', error !== undefined)
  if (error !== undefined) {
    checkError(exchange, check)
    return
  }
  for (const id of returnsRecord[facts.operation] ?? []) check(id, carried !== undefined)
  if (facts.operation === 'listBackfills') {
    const metadata = metadataIn(exchange)
    check('list-metadata/count', Number.isInteger(metadata?.count), metadata)
    check('list-metadata/next', typeof metadata?.next === 'boolean', metadata)
  }
  const [envelopeRule, metadataRule] = listForms[facts.operation] ?? []
  if (envelopeRule !== undefined && metadataRule !== undefined) {
    const metadata = metadataIn(exchange)
    const isComplete = Number.isInteger(metadata?.count) && typeof metadata?.next === 'boolean'
    check(envelopeRule, carried !== undefined && metadata !== undefined)
    check(metadataRule, facts.operation === 'listLogs' ? equal(metadata, {}) : isComplete, metadata)
  }
  if (facts.operation === 'listPipelines') {
    const metadata = metadataIn(exchange)
    check('conventions/list-envelope', carried !== undefined && metadata !== undefined)
    if (metadata !== undefined && Object.hasOwn(metadata, 'next'))
      check('list-metadata/pipelines', typeof metadata.next === 'boolean', metadata)
  }
}

/** Returns whether an error is of the kind that a rule is about. */
function isAbout(rule: RuleId, error: Exchange['error']): boolean {
  if (error === undefined) return false
  return rule === 'errors/http-200-credentials' || !credentialCodes.includes(error.code)
}

/** Checks the members of an error against their table. */
function checkError({ error, body }: Exchange, check: Check): void {
  const status = isObject(body) ? body.status : undefined
  check('errors/body-status', status === 200, { status })
  check('errors/code', Number.isInteger(error?.code), error?.code)
  check('errors/code-not-200', error?.code !== 200, error?.code)
  check('errors/message', typeof error?.message === 'string', error?.message)
  const type = error?.type
  check('errors/type', typeof type === 'string', { 'error.type': type ?? '(absent)' })
}
