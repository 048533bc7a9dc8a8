import { type Aspect, derivedRule } from '../../rules/derived.ts'
import type { OperationId, RuleId } from '../../rules/index.ts'
import type { Exchange, SendOptions } from '../client.ts'
import { isObject } from '../is-object.ts'
import type { PageSizes } from '../page-sizes.ts'
import type { Stage } from '../stage.ts'
import type { Difference, Known } from './compare.ts'
import { Model, type Predicted } from './model.ts'
import type { Freedom } from './relation.ts'
import type { TargetClock } from './target-clock.ts'
import { isAside, type Side, type Thing } from './things.ts'

/** What a story says of a rule. */
export interface Note {
  readonly holds: boolean
  readonly exchange: Exchange
  readonly received?: unknown
  readonly expected?: unknown
  /** What was sent before, for a person to follow. */
  readonly steps: readonly string[]
}

/** A reply of the target beside the one that the model gives to the same request. */
export interface Both {
  readonly exchange: Exchange
  readonly predicted: Predicted
  readonly born: Thing['born']
  /** Whether both succeed, or both refuse. */
  readonly agree: boolean
  readonly succeeded: boolean
}

/** A request as it goes to both sides, which give their records other ids. */
export interface Asked {
  readonly method: string
  path(side: Side): string
  body?(side: Side): unknown
  /** What goes to the target alone: credentials. */
  readonly options?: SendOptions
  /** Sends it to the target, where its ledger must note more. */
  readonly send?: () => Promise<Exchange>
}

/** A story is over where the target has done what the model cannot follow. */
export class Lost extends Error {}

/** What stories learn of the target, all together. */
export interface Learnt {
  readonly clock: TargetClock
  readonly pageSizes: PageSizes
}

/** One story told to the target and to a model of its own, and what it says of rules. */
export class Story implements Known {
  readonly stage: Stage
  readonly clock: TargetClock
  readonly pageSizes: PageSizes
  /** What the names of its records begin with. */
  readonly prefix: string
  readonly model: Model
  readonly things: Thing[] = []
  readonly notes = new Map<RuleId, Note>()
  /** The pipelines from which a block with dependants was forced out: how the others are linked now is not said. */
  readonly relinked = new Set<Thing>()
  /** Whose turn it is to be looked at. */
  turn = 0
  readonly #steps: string[] = []
  readonly #seen = new Set<string>()

  constructor(stage: Stage, { clock, pageSizes }: Learnt, prefix: string) {
    this.stage = stage
    this.clock = clock
    this.pageSizes = pageSizes
    this.prefix = prefix
    this.model = new Model(stage.provided.profile)
  }

  /** The records of a kind that are there. */
  all(kind: Thing['kind'], home?: Thing): Thing[] {
    return this.things.filter(
      (thing) => thing.kind === kind && !thing.isGone && (home === undefined || thing.home === home),
    )
  }

  /** The record that a command means by a number; undefined where there is none. */
  pick(kind: Thing['kind'], number: number): Thing | undefined {
    const all = this.all(kind)
    return all[number % all.length]
  }

  /** Another record of a kind, in another pipeline where there is one. */
  neighbour(thing: Thing): Thing | undefined {
    const others = this.all(thing.kind).filter((other) => other !== thing)
    return others.find((other) => other.home !== thing.home) ?? others[0]
  }

  uuidOf(home: Thing | undefined, uuid: unknown): unknown {
    const block = this.all('block', home).find((each) => each.keys.model === uuid)
    return block?.keys.target ?? uuid
  }

  isRelinked(home: Thing | undefined): boolean {
    return home !== undefined && this.relinked.has(home)
  }

  asideIn(home: Thing | undefined): string[] {
    return this.all('block', home)
      .filter(isAside)
      .map(({ keys }) => keys.target)
  }

  goneFrom(home: Thing | undefined): string[] {
    return this.things
      .filter((thing) => thing.kind === 'block' && thing.home === home && thing.isGone)
      .map(({ keys }) => keys.target)
  }

  chose(freedom: Freedom, attribute: string, value: unknown): void {
    // What a row alone leaves open has no name to be told by.
    if (typeof freedom === 'string') this.stage.verdicts.chose(freedom, attribute, value)
  }

  /** Sends a request to both; a model that has gone another way goes back. */
  async ask({ method, path, body, options, send }: Asked): Promise<Both> {
    const target = path('target')
    this.#steps.push(`${method} ${target}${body === undefined ? '' : ` ${JSON.stringify(body('target'))}`}`)
    const sent = Date.now()
    const exchange = await (send?.() ??
      this.stage.send(method, target, { ...options, ...(body && { body: body('target') }) }))
    const born = { sent, received: Date.now() }
    const succeeded = exchange.error === undefined && isObject(exchange.body)
    if (method !== 'GET') this.model.remember()
    const predicted = await this.model.ask(method, path('model'), body?.('model'))
    this.stage.provided.onPredicted?.(exchange, predicted)
    const agree = succeeded !== predicted.isError
    if (!agree && method !== 'GET') this.model.goBack()
    return { exchange, predicted, born, agree, succeeded }
  }

  /** Notes that an aspect of an operation holds, or what was seen instead. */
  note(
    operation: OperationId,
    aspect: Aspect,
    exchange: Exchange,
    flaw?: { readonly received: unknown; readonly expected: unknown },
  ): void {
    const id = derivedRule(operation, aspect)
    if (id === undefined || this.notes.get(id)?.holds === false) return
    this.notes.set(id, { holds: flaw === undefined, exchange, ...flaw, steps: [...this.#steps] })
  }

  /** Notes differences of one record; what was seen and told before is not told again of another rule. */
  noteDifferences(
    [operation, aspect]: readonly [OperationId, Aspect],
    thing: Thing,
    differences: readonly Difference[],
    exchange: Exchange,
  ): void {
    if (differences.length === 0) this.note(operation, aspect, exchange)
    for (const { attribute, expected, received } of differences) {
      const key = JSON.stringify([thing.kind, thing.keys.target, attribute, expected, received])
      if (this.#seen.has(key)) continue
      this.#seen.add(key)
      this.note(operation, aspect, exchange, {
        received: { [attribute]: received },
        expected: { [attribute]: expected },
      })
    }
  }

  /** Notes a flaw once, however often it is seen. */
  noteOnce(
    [operation, aspect]: readonly [OperationId, Aspect],
    exchange: Exchange,
    received: unknown,
    expected: unknown,
  ): void {
    const key = JSON.stringify([received, expected])
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.note(operation, aspect, exchange, { received, expected })
  }
}

/** What was received where an answer was no success. */
export function errorOf({ body, text }: Exchange): unknown {
  return isObject(body) && body.error !== undefined ? { error: body.error } : text.slice(0, 200)
}
