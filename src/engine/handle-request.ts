import type { ActionResult } from '../resources/resource.ts'
import { isPromise } from '../shared/built-ins.ts'
import { realTime } from '../shared/real-time.ts'
import { doAtOnce, isSlices, type Slices } from '../shared/slices.ts'
import { UnderstudyError } from '../shared/understudy-error.ts'
import { authorize } from './authorize.ts'
import { withFaults } from './faults/with-faults.ts'
import { findRecords } from './find-records.ts'
import { blameClient, runGenericAction } from './generic-actions.ts'
import { andThen, type MaybePromise } from './maybe-promise.ts'
import { notePieces, splitUrl, type UnderstudyReply, type UnderstudyRequest } from './messages.ts'
import { explainNoMatch } from './no-match.ts'
import { applyPolicy } from './policy.ts'
import { type BodyText, present } from './presenter.ts'
import { toErrorReply, toPreflightReply, toReply } from './reply.ts'
import { RequestContext } from './request-context.ts'
import type { Endpoint } from './router.ts'
import { checkReply } from './strict.ts'
import { chooseWorld } from './worlds/choose-world.ts'
import type { WorldMap } from './worlds/worlds.ts'

/**
 * Answers a request; `undefined` where its path is not under `/api`. `handle` is the name of the world whose handle it
 * came through.
 *
 * Never throws: what a client did wrong is an error envelope with HTTP 200 (the document, "Errors"); what we did wrong
 * is HTTP 500 with a problem that names this package.
 */
export function handleRequest(
  request: UnderstudyRequest,
  worlds: WorldMap,
  handle?: string,
): MaybePromise<UnderstudyReply> | undefined {
  const context = new RequestContext(request, worlds.main)
  if (!isApiPath(context.path)) return undefined
  try {
    const chosen = chooseWorld(context, worlds, handle)
    const reply = isPromise(chosen) ? chosen.then(() => answerInWorld(context)) : answerInWorld(context)
    return isPromise(reply) ? reply.catch((error) => fail(context, error)) : reply
  } catch (error) {
    return fail(context, error)
  }
}

/** Tells whether a URL is one of the API: nothing else is answered. */
export function isApiUrl(url: string): boolean {
  return isApiPath(splitUrl(url).path)
}

function isApiPath(path: string): boolean {
  return path.startsWith('/api/') || path === '/api'
}

/** What is thrown outside the steps is answered as well; a reply that an understudy refuses to give itself is not. */
function fail(context: RequestContext, error: unknown): UnderstudyReply {
  if (error instanceof UnderstudyError && error.code === 'REPLY_INVALID') throw error
  return toErrorReply(context, error)
}

/** Answers as the world that has been chosen; its faulty variant, where it has one, changes request and reply. */
function answerInWorld(context: RequestContext): MaybePromise<UnderstudyReply> {
  const { request, world, isUnborn } = context
  const { faultyVariant } = world.settings
  if (faultyVariant === undefined) return answer(context)
  const changed = new RequestContext(faultyVariant.request?.(request) ?? request, world)
  changed.enter(world, isUnborn)
  return andThen(answer(changed), (reply) => faultyVariant.reply?.(reply, request) ?? reply)
}

/** Answers as the world that has been chosen, when it is this request's turn there. */
function answer(context: RequestContext): MaybePromise<UnderstudyReply> {
  const { world, request } = context
  if (request.isPassing && context.match.kind !== 'endpoint' && context.match.kind !== 'bad-encoding') {
    return { ...toErrorReply(context, explainNoMatch(context)), isPassed: true }
  }
  return world.turns.isTaken ? waitForTurn(context, () => settle(context)) : settle(context)
}

/** Goes on when it is the request's turn in its world; at once where it cannot wait. */
function waitForTurn<Result>(
  { request, world }: RequestContext,
  run: () => MaybePromise<Result>,
): MaybePromise<Result> {
  if (request.inSlices) return world.turns.after(run)
  world.turns.complete()
  return run()
}

/** Lets everything happen that was due by now, then answers. */
function settle(context: RequestContext): MaybePromise<UnderstudyReply> {
  const { model } = context.world
  if (!model.isDue()) return answerSettled(context)
  const settled = work(context, model.settling())
  return isPromise(settled) ? settled.then(() => answerSettled(context)) : answerSettled(context)
}

/** Does what may take long: in slices where the request allows it, while others wait for this world. */
function work<Result>({ request, world }: RequestContext, slices: Slices<Result>): MaybePromise<Result> {
  return request.inSlices ? world.turns.take(slices) : doAtOnce(slices)
}

function answerSettled(context: RequestContext): MaybePromise<UnderstudyReply> {
  const { world, isUnborn } = context
  context.comeBack()
  // The fast path: a world without faults and journal is asked for either once, and nothing of them is called.
  const reply = world.hasFaults && !isUnborn ? withFaults(context, takeSteps) : takeSteps(context)
  return isPromise(reply) ? reply.then((whole) => finish(context, whole)) : finish(context, reply)
}

/** Takes a request through the steps in its world: match, authorize, policy, action, presenter, reply. */
function takeSteps(context: RequestContext): MaybePromise<UnderstudyReply> {
  if (context.method === 'OPTIONS') return toPreflightReply(context)
  let body: MaybePromise<BodyText>
  try {
    body = authorizeAndOperate(context)
  } catch (error) {
    return toErrorReply(context, blameClient(error, context))
  }
  return isPromise(body)
    ? body.then(
        (text) => succeed(context, text),
        (error) => toErrorReply(context, blameClient(error, context)),
      )
    : succeed(context, body)
}

function authorizeAndOperate(context: RequestContext): MaybePromise<BodyText> {
  const { match, world } = context
  if (match.kind !== 'endpoint') throw explainNoMatch(context)
  const { endpoint } = match
  const { model } = world
  const authorized = authorize(context, endpoint.operation)
  if (!isPromise(authorized)) return operate(context, endpoint)
  // Others had their turn meanwhile; where the world began anew, so does the request.
  const goOn = () => {
    if (world.model === model) return operate(context, endpoint)
    context.comeBack()
    return authorizeAndOperate(context)
  }
  return authorized.then(() => waitForTurn(context, goOn))
}

/** Runs an authorized operation, and notes what it changes where somebody wants to know. */
function operate(context: RequestContext, endpoint: Endpoint): MaybePromise<BodyText> {
  const { model, changes } = context
  const text =
    changes === undefined
      ? runOperation(context, endpoint)
      : model.noting(changes, () => runOperation(context, endpoint))
  return isSlices(text) ? work(context, text) : text
}

/** What is refused before the action has changed nothing. */
function runOperation(
  context: RequestContext,
  endpoint: Endpoint,
): MaybePromise<BodyText> | Slices<BodyText> {
  const { action, run, findsItself, refuses, fails } = endpoint.operation
  if (findsItself !== true) findRecords(context, endpoint)
  applyPolicy(context, endpoint)
  throwAny(refuses?.(context))
  // What goes is presented while it is there: afterwards its children are gone too. A deletion has found its record.
  const presented = action === 'delete' ? presentWhole(context, endpoint, context.record!) : undefined
  const result = run === undefined ? runGenericAction(context, endpoint) : run(context)
  if (isSlices(result)) return runLong(context, endpoint, result, presented)
  throwAny(fails?.(context))
  return isPromise(result)
    ? result.then((done) => presented ?? presentWhole(context, endpoint, done))
    : (presented ?? present(context, endpoint, result))
}

/** Runs an action that takes long, and presents what it gives. */
function* runLong(
  context: RequestContext,
  endpoint: Endpoint,
  action: Slices<ActionResult>,
  presented: BodyText | undefined,
): Slices<BodyText> {
  const result = yield* action
  throwAny(endpoint.operation.fails?.(context))
  const text = presented ?? present(context, endpoint, result)
  return isSlices(text) ? yield* text : text
}

/** Presents what is no long list. */
function presentWhole(context: RequestContext, endpoint: Endpoint, result: ActionResult): BodyText {
  const text = present(context, endpoint, result)
  return isSlices(text) ? doAtOnce(text) : text
}

function throwAny(error: Error | undefined): void {
  if (error !== undefined) throw error
}

/** The reply of an operation, held against the table where the understudy is strict. */
function succeed(context: RequestContext, body: BodyText): UnderstudyReply {
  const isWhole = typeof body === 'string'
  // Added up, pieces become one text only when somebody reads it.
  const reply = toReply(context, 200, isWhole ? body : body.reduce((text, piece) => text + piece))
  if (!isWhole) notePieces(reply, body)
  if (context.world.settings.isStrict) checkReply(context, reply)
  return reply
}

/** Enters a request in the journal. */
function finish(context: RequestContext, reply: UnderstudyReply): UnderstudyReply {
  const { world, startedAt } = context
  if (startedAt !== undefined) {
    world.journal.add(context, reply, world.clock.now(), realTime() - startedAt)
  }
  return reply
}
