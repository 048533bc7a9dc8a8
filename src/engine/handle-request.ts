import type { ActionResult } from '../resources/define-resource.ts'
import { authorize } from './authorize.ts'
import { withFaults } from './faults/with-faults.ts'
import { findRecords } from './find-records.ts'
import { runAction, type TablePage } from './generic-actions.ts'
import { withJournal } from './journal/with-journal.ts'
import { matchEndpoint } from './match-endpoint.ts'
import { andThen, type MaybePromise } from './maybe-promise.ts'
import type { UnderstudyReply, UnderstudyRequest } from './messages.ts'
import { applyPolicy } from './policy.ts'
import { present } from './presenter.ts'
import { toErrorReply, toPreflightReply, toReply } from './reply.ts'
import { RequestContext } from './request-context.ts'
import type { Endpoint } from './router.ts'
import { checkReply } from './strict.ts'
import { chooseWorld } from './worlds/choose-world.ts'
import type { WorldMap } from './worlds/worlds.ts'

/**
 * Answers a request; `undefined` where its path is not under `/api`. `worldName` is the world of the handle it came through.
 *
 * Never throws: what a client did wrong is an error envelope with HTTP 200 (the document, "Errors"); what we did wrong
 * is HTTP 500 with a problem that names this package.
 */
export function handleRequest(
  request: UnderstudyRequest,
  worlds: WorldMap,
  worldName?: string,
): MaybePromise<UnderstudyReply> | undefined {
  const context = new RequestContext(request, worlds.main)
  if (!isUnderApi(context.path)) return undefined
  let isNewWorld: boolean
  try {
    isNewWorld = chooseWorld(context, worlds, worldName)
  } catch (error) {
    return toErrorReply(context, error)
  }
  // The way of nearly every request where nothing is asked for: one comparison instead of the layers around the operation.
  const reply = context.world.isPlain
    ? answer(context)
    : withJournal(context, () => withFaults(context, () => checked(context)))
  return isNewWorld
    ? andThen(reply, (first) => {
        worlds.admit(context.world.name, first)
        return first
      })
    : reply
}

/** Takes a request through the steps of its operation. */
function answer(context: RequestContext): MaybePromise<UnderstudyReply> {
  try {
    if (context.method === 'OPTIONS') return toPreflightReply(context)
    context.world.model.settle()
    const endpoint = matchEndpoint(context)
    const authorized = authorize(context, endpoint.operation)
    const body =
      authorized instanceof Promise
        ? authorized.then(() => operate(context, endpoint))
        : operate(context, endpoint)
    return body instanceof Promise
      ? body.then(
          (text) => toReply(context, text),
          (error) => toErrorReply(context, error),
        )
      : toReply(context, body)
  } catch (error) {
    return toErrorReply(context, error)
  }
}

/** What an authorized request does. What is refused before the action changes nothing. */
function operate(context: RequestContext, endpoint: Endpoint): MaybePromise<string> {
  const { model, changes } = context
  const run = () => {
    if (endpoint.operation.findsItself !== true) findRecords(context, endpoint)
    applyPolicy(context, endpoint)
    if (endpoint.operation.action === 'delete') return presentAndDelete(context, endpoint)
    return andThen<ActionResult | TablePage, string>(runAction(context, endpoint), (result) =>
      present(context, endpoint, result),
    )
  }
  return changes === undefined ? run() : model.noting(changes, run)
}

/** What goes is presented while it is there: afterwards its children are gone too. */
function presentAndDelete(context: RequestContext, endpoint: Endpoint): MaybePromise<string> {
  // A deletion has found what it deletes.
  const text = present(context, endpoint, context.record!)
  return andThen<ActionResult | TablePage, string>(runAction(context, endpoint), () => text)
}

/** The answer, held against the table where the understudy is strict. */
function checked(context: RequestContext): MaybePromise<UnderstudyReply> {
  const reply = answer(context)
  return context.world.settings.isStrict ? andThen(reply, (whole) => checkReply(context, whole)) : reply
}

/** Tells whether a path is one of the API's. */
function isUnderApi(path: string): boolean {
  return path.startsWith('/api/') || path === '/api'
}
