import type { Change } from '../../factories/model.ts'
import { Model } from '../../factories/model.ts'
import type { Found } from '../act.ts'
import type { Clock } from '../clock.ts'
import { dispatch, type Scene } from '../dispatch.ts'
import { type FaultList, lagOf, type Strike } from '../faults/faults.ts'
import { Past } from '../faults/past.ts'
import { runsDespite, strikeReply } from '../faults/struck.ts'
import type { JournalQueue } from '../journal/journal.ts'
import type { UnderstudyReply, UnderstudyRequest } from '../messages.ts'
import type { Target } from '../query.ts'
import { checkReply } from '../strict.ts'

type Reply = UnderstudyReply | Promise<UnderstudyReply>

/** What stands between a request of a world and its reply. */
export interface Desk {
  readonly clock: Clock
  readonly faults: FaultList
  readonly journal: JournalQueue
  readonly isStrict: boolean
  scene(): Scene
}

/** Makes what answers a world's requests: faults before and after the engine, and the journal around them. */
export function createAnswer(desk: Desk): (request: UnderstudyRequest, target: Target) => Reply {
  const { clock, faults, journal, isStrict } = desk
  const past = new Past()

  function run(scene: Scene, request: UnderstudyRequest, target: Target, changes?: Change[]): Reply {
    return then(dispatch(scene, request, target, changes), (reply) => (isStrict ? checkReply(reply) : reply))
  }

  function runStruck(
    strike: Strike,
    found: Found | undefined,
    request: UnderstudyRequest,
    target: Target,
    changes: Change[] | undefined,
  ): Reply {
    const scene = desk.scene()
    if (!runsDespite(strike)) return strikeReply(scene, request, strike, undefined, found)
    const lag = strike.ending === undefined ? 0 : lagOf(strike.ending)
    const reply = run(lag > 0 ? lagging(scene, lag) : scene, request, target, changes)
    return then(reply, (whole) => strikeReply(scene, request, strike, whole, found))
  }

  /** The scene whose reads show what was there some time ago. */
  function lagging(scene: Scene, lag: number): Scene {
    const { resources, seed, switches, signToken } = scene.model
    const now = () => clock.now() - lag
    const model = new Model({ resources, seed, switches, signToken, now })
    model.restore(past.at(now()))
    model.settle()
    return { ...scene, past: model }
  }

  /** Keeps what stale reads will need, as long as there are any. */
  function remember(): void {
    if (faults.lag === 0) {
      if (!past.isEmpty) past.forget()
      return
    }
    const from = past.isEmpty ? Number.NEGATIVE_INFINITY : clock.now()
    past.remember(from, desk.scene().model.state(), faults.lag)
  }
  faults.added = remember

  function answer(request: UnderstudyRequest, target: Target, changes: Change[] | undefined): Reply {
    if (faults.isIdle && past.isEmpty) return run(desk.scene(), request, target, changes)
    remember()
    const { method } = request
    const match = desk.scene().router.match(method, target.path)
    const found = match.kind === 'endpoint' ? match : undefined
    const strike = faults.strike(method, target.path, found)
    const reply = strike
      ? runStruck(strike, found, request, target, changes)
      : run(desk.scene(), request, target, changes)
    return then(reply, (whole) => {
      remember()
      return strike ? { ...whole, faults: strike.ids } : whole
    })
  }

  return (request, target) => {
    if (!journal.isOn) {
      // The way of nearly every request where nothing is asked for: no layer more than it needs.
      const isPlain = faults.isIdle && past.isEmpty && !isStrict
      return isPlain ? dispatch(desk.scene(), request, target) : answer(request, target, undefined)
    }
    const start = performance.now()
    const changes: Change[] = []
    const note = (reply: UnderstudyReply) => {
      const milliseconds = performance.now() - start
      journal.add({ at: clock.now(), milliseconds, request, reply, changes })
      return reply
    }
    const reply = answer(request, target, changes)
    return reply instanceof Promise ? reply.then(note) : note(reply)
  }
}

function then(reply: Reply, next: (reply: UnderstudyReply) => UnderstudyReply): Reply {
  return reply instanceof Promise ? reply.then(next) : next(reply)
}
