import { type Rule, type RuleId, ruleOf, rules } from '../rules/index.ts'
import type { Exchange } from './client.ts'
import type { Secrets } from './redact.ts'

/** What was seen where a rule does not hold. */
export interface Evidence {
  readonly received: string
  readonly documented: string
  readonly curl: string
  readonly httpStatus: number
  /** What was expected instead, where the model has predicted it. */
  readonly expected?: string
  /** The requests of the shortest story that shows it. */
  readonly steps?: readonly string[]
}

/** What a story says of a deviation besides the exchange that shows it. */
export interface Told {
  readonly expected: unknown
  /** What was sent before it, in order. */
  readonly steps: readonly string[]
}

/** What became of a rule. */
export type Verdict =
  | { readonly kind: 'holds' }
  | { readonly kind: 'broken'; readonly evidence: Evidence }
  | { readonly kind: 'not reached'; readonly missing: string }
  | { readonly kind: 'skipped'; readonly flag: string }

/** A rule with its verdict. */
export interface Finding {
  readonly rule: Rule
  readonly verdict: Verdict
}

/** What is said of a rule to which no scenario came. */
export const unplayed = 'The scenario ended before it: see what broke before.'

/** Collects one verdict per rule: the first broken check decides, else one that held. */
export class Verdicts {
  readonly #verdicts = new Map<RuleId, Verdict>()
  readonly #choices = new Map<string, Set<string>>()
  readonly #unsteady = new Set<RuleId>()
  readonly #skips: (rule: Rule) => string | undefined
  readonly #secrets: Secrets

  constructor(skips: (rule: Rule) => string | undefined, secrets: Secrets) {
    this.#skips = skips
    this.#secrets = secrets
  }

  /** Notes whether a rule holds in an exchange; `received` says what was seen instead. */
  check(id: RuleId, holds: boolean, exchange: Exchange, received?: unknown, told?: Told): void {
    const rule = ruleOf(id)
    if (this.#verdicts.get(id)?.kind === 'broken') return
    if (holds) {
      this.#verdicts.set(id, { kind: 'holds' })
      return
    }
    const text = received === undefined ? exchange.text : JSON.stringify(received)
    this.#verdicts.set(id, {
      kind: 'broken',
      evidence: {
        received: shorten(this.#secrets.redact(text ?? 'nothing')),
        documented: rule.claim,
        curl: exchange.curl,
        httpStatus: exchange.httpStatus,
        ...(told && {
          expected: shorten(this.#secrets.redact(JSON.stringify(told.expected) ?? 'nothing')),
          steps: told.steps.map((step) => shorten(this.#secrets.redact(step))),
        }),
      },
    })
  }

  /** Takes down what the target chooses where the document leaves it open, by the assumption that names the choice. */
  chose(freedom: string, attribute: string, value: unknown): void {
    const choice = `${attribute}: ${shorten(this.#secrets.redact(JSON.stringify(value) ?? 'nothing'))}`
    this.#choices.set(freedom, (this.#choices.get(freedom) ?? new Set()).add(choice))
  }

  /** What the target has chosen, by the id of the assumption. */
  get choices(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries([...this.#choices].map(([freedom, chosen]) => [freedom, [...chosen].sort()]))
  }

  /** Notes that a deviation was seen once, and not a second time. */
  unsteady(id: RuleId): void {
    this.#unsteady.add(id)
    this.notReached(
      [id],
      'A deviation was seen once, and not when it was tried again: the target is unsteady.',
    )
  }

  /** The rules that were seen broken once, and not a second time. */
  get unsteadyRules(): readonly RuleId[] {
    return [...this.#unsteady].filter((id) => this.#verdicts.get(id)?.kind !== 'broken')
  }

  /** Says what was missing to judge rules that have no verdict yet. */
  notReached(ids: readonly RuleId[], missing: string): void {
    for (const id of ids) {
      if (!this.#verdicts.has(ruleOf(id).id))
        this.#verdicts.set(id, { kind: 'not reached', missing: this.#secrets.redact(missing) })
    }
  }

  /** Every rule of the catalogue with its verdict. */
  findings(): Finding[] {
    return rules.map((rule) => {
      const flag = this.#skips(rule)
      if (flag !== undefined) return { rule, verdict: { kind: 'skipped', flag } }
      return { rule, verdict: this.#verdicts.get(rule.id) ?? { kind: 'not reached', missing: unplayed } }
    })
  }
}

function shorten(text: string): string {
  return text.length > 400 ? `${text.slice(0, 399)}…` : text
}
