import type { Changed, ParsedReply } from '../../contract-tests/mutants/define-mutant.ts'
import { isReadMethod } from '../../src/shared/http.ts'
import type { GeneratedMutant } from './draw.ts'
import { type Forward, type Handler, isSame, type MutantRequest, type Start } from './serve-mutant.ts'

/**
 * Creates a correct server that finds which mutants a verification provokes: it removes their groups from `unprovoked`.
 * Until a mutant first differs, it behaves like the correct server, so that one verification is enough for all mutants.
 */
export const watchMutants =
  (
    mutants: readonly GeneratedMutant[],
    groupOf: (mutant: GeneratedMutant) => string,
    unprovoked: Set<string>,
  ): Start =>
  () => {
    let watched = mutants.map((mutant) => ({ group: groupOf(mutant), handler: mutant.start() }))
    return async (request, forward) => {
      const shared = openPromise<ParsedReply>()
      const outcomes = watched.map(({ group, handler }) => ({
        group,
        ...watch(handler, request, forward, shared.promise),
      }))
      // A mutant may read records before it forwards a write.
      await Promise.all(outcomes.map(({ untilForwarded }) => untilForwarded))
      shared.resolve(await forward())
      for (const { group, isOther } of outcomes) if (await isOther) unprovoked.delete(group)
      watched = watched.filter(({ group }) => unprovoked.has(group))
      return shared.promise
    }
  }

/** Runs a mutant on a request: `untilForwarded` waits until it needs the reply of the correct server, or ends. */
function watch(handler: Handler, request: MutantRequest, forward: Forward, reply: Promise<ParsedReply>) {
  const forwarded = openPromise<void>()
  const forwardShared = () => {
    forwarded.resolve()
    return reply
  }
  const isOther = differs(handler, request, forward, forwardShared).finally(forwarded.resolve)
  return { untilForwarded: forwarded.promise, isOther }
}

/** Creates a promise with the function that resolves it. */
function openPromise<Value>() {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((resolvePromise) => {
    resolve = resolvePromise
  })
  return { promise, resolve }
}

/** Thrown instead of a write that the correct server would not get. */
class OtherWrite extends Error {}

/** Tests whether a mutant replies differently from the correct server, or writes something else to it. */
async function differs(
  handler: Handler,
  request: MutantRequest,
  forward: Forward,
  forwardShared: () => Promise<ParsedReply>,
): Promise<boolean> {
  let isForwarded = false
  const forwardOnce: Forward = (changed) => {
    const isRead = isReadMethod(changed?.method ?? request.method)
    const isSameAgain = !isChanged(request, changed)
    if (isSameAgain && (isRead || !isForwarded)) {
      isForwarded = true
      return forwardShared()
    }
    if (!isRead) throw new OtherWrite()
    return forward(changed)
  }
  try {
    const reply = await handler(request, forwardOnce)
    return !isSame(reply, await forwardShared())
  } catch (error) {
    if (error instanceof OtherWrite) return true
    throw error
  }
}

function isChanged({ method, path, search, body, headers }: MutantRequest, changed?: Changed): boolean {
  if (changed === undefined) return false
  const sent = { method, path: path + search, body, headers: [...headers] }
  return !isSame({ ...sent, ...changed, headers: [...(changed.headers ?? headers)] }, sent)
}
