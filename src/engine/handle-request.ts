import type { MemoryUse } from '../factories/model.ts'
import { ApiError } from '../shared/errors.ts'
import { splitUrl } from '../shared/http.ts'
import { realTime } from '../shared/real-time.ts'
import { toMegabytes } from '../shared/values.ts'
import { authorize, chooseWorld } from './access.ts'
import { withFaults } from './faults/with-faults.ts'
import type { FaultyVariant } from './faulty-variant.ts'
import { blameClient, boundDeletion, findRecords, runGenericAction } from './generic-actions.ts'
import type { UnderstudyReply, UnderstudyRequest } from './messages.ts'
import { explainNoMatch } from './no-match.ts'
import { applyPolicy } from './policy.ts'
import { present } from './presenter.ts'
import { toErrorReply, toPreflightReply, toReply } from './reply.ts'
import { RequestContext } from './request-context.ts'
import type { WorldMap } from './worlds/worlds.ts'

const apiPath = /^\/api(?:\/|$)/

/**
 * Answers a request; `undefined` where its path is not under `/api`. `handle` is the name of the world whose handle
 * received the request.
 *
 * Never throws for an error of the client, which gets an error envelope with HTTP 200 (spec, "Errors"). A defect of
 * this package is HTTP 500 with a problem document.
 */
export function handleRequest(
  request: UnderstudyRequest,
  worlds: WorldMap,
  handle?: string,
): UnderstudyReply | undefined {
  let context = new RequestContext(request, worlds.main)
  if (!apiPath.test(context.path)) return undefined
  try {
    chooseWorld(context, worlds, handle)
    const { faultyVariant } = context.world.settings
    if (faultyVariant !== undefined) context = changeRequest(context, faultyVariant)
    const { world, match } = context
    if (request.isPassing && match.kind !== 'endpoint' && match.kind !== 'bad-encoding')
      return { ...toErrorReply(context, explainNoMatch(context)), isPassed: true }
    // A rejected request creates no world, so each one would apply the events of its whole past again.
    if (!context.isTentative) world.model.applyDueEvents()
    const mayFail = world.faults.entries.length > 0 && !context.isTentative
    const reply = mayFail ? withFaults(context, respond) : respond(context)
    if (context.startedAt !== undefined)
      world.journal.add(context, reply, world.clock.now(), realTime() - context.startedAt)
    return faultyVariant?.reply?.(reply, request) ?? reply
  } catch (error) {
    return toErrorReply(context, error)
  }
}

/** Runs the steps of a request in its world. A request that fails before the action changes nothing. */
function respond(context: RequestContext): UnderstudyReply {
  if (context.method === 'OPTIONS') return toPreflightReply(context)
  const { match, model } = context
  const outerChanges = model.changes
  model.changes = context.changes
  let body: string
  try {
    if (match.kind !== 'endpoint') throw explainNoMatch(context)
    const { endpoint } = match
    const { action, findsItself, refuses, run, fails, credentials } = endpoint.operation
    if (credentials !== 'none') authorize(context, endpoint.operation)
    if (!findsItself) findRecords(context, endpoint)
    applyPolicy(context, endpoint)
    const refused = refuses?.(context)
    if (refused !== undefined) throw refused
    const { memory } = context.world.settings
    if (memory.used > memory.limit && (action === 'create' || action === 'update')) requireRoom(memory)
    // The presenter needs the children of a deleted record, so it runs first.
    if (action === 'delete') boundDeletion(context, endpoint)
    const deleted = action === 'delete' ? present(context, endpoint, context.record) : undefined
    const result = run === undefined ? runGenericAction(context, endpoint) : run(context)
    const failed = fails?.(context)
    if (failed !== undefined) throw failed
    body = deleted ?? present(context, endpoint, result)
  } catch (error) {
    return toErrorReply(context, blameClient(error, context))
  } finally {
    model.changes = outerChanges
  }
  return toReply(context, 200, body)
}

/** @throws ApiError `payload_too_large` where the records of all worlds take as much memory as they may. */
function requireRoom(memory: MemoryUse): void {
  const { limit } = memory
  memory.recount?.()
  if (memory.used <= limit) return
  throw new ApiError(
    'payload_too_large',
    `The records of all worlds take more than ${toMegabytes(limit)} MB, which is the limit. Delete records or worlds, reset a world, or raise maxMemory (serve --max-memory).`,
  )
}

function changeRequest(
  { request, world, isTentative }: RequestContext,
  variant: FaultyVariant,
): RequestContext {
  const changed = new RequestContext(variant.request?.(request) ?? request, world)
  changed.enter(world, isTentative)
  return changed
}

export function isApiUrl(url: string): boolean {
  return apiPath.test(splitUrl(url).path)
}
