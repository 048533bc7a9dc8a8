import { derivedRule } from '../rules/derived.ts'
import { type Rule, type RuleId, ruleOf, rules } from '../rules/index.ts'
import type { Exchange, TransportError } from './client.ts'
import { type Difference, deviationKey, differenceOf, mostDeviations } from './difference.ts'
import { excerptOf, shorten } from './excerpt.ts'
import type { CheckDetails } from './invariants/invariant-check.ts'
import { operationOf } from './operation-of.ts'
import { plainPath } from './plain-address.ts'
import type { Secrets } from './redact.ts'
import type { Reproduction } from './reproduction.ts'
import { patternOfRun } from './run-id.ts'
import type { SentRequest } from './sent-requests.ts'

/** The difference that made a rule fail, and the exchange that shows it. */
export interface Evidence extends Difference {
  readonly request: string
  readonly httpStatus: number
  /** The reply; stack traces are cut. */
  readonly reply: string
  /** The requests of the reproduction before it. */
  readonly steps: readonly string[]
  /** The request as a curl command of the reproduction. */
  readonly curl: string
  /** A script that creates what the request needs, sends it, and cleans up. */
  readonly reproduction: string
  /** True for the deviation of a finding that its script shows. */
  readonly isInScript?: boolean
  /** The reason for accepting the deviation, if a baseline contains it. */
  readonly known?: string | undefined
}

/**
 * The reason for a blocked rule. `need`: the target lacks something that no documented request creates, or a permission is
 * missing. `replies`: the replies did not allow the next request. `failure`: no reply came, or the verifier failed.
 */
export type Cause = 'need' | 'replies' | 'failure'

/** Result of a rule. */
export type Verdict =
  | { readonly kind: 'passed'; readonly exchanges: number }
  /** `further` are other deviations of the same rule. */
  | { readonly kind: 'failed'; readonly evidence: Evidence; readonly further: readonly Evidence[] }
  /** A deviation that occurred once, and not when the verifier repeated the requests from scratch. */
  | { readonly kind: 'flaky'; readonly evidence: Evidence }
  | { readonly kind: 'blocked'; readonly missing: string; readonly cause: Cause }
  | { readonly kind: 'skipped'; readonly flag: string }

/** A rule with its verdict. */
export interface Finding {
  readonly rule: Rule
  readonly verdict: Verdict
}

/** Returns every deviation of a failed rule; none of other rules. */
export function evidenceOf({ verdict }: Pick<Finding, 'verdict'>): readonly Evidence[] {
  return verdict.kind === 'failed' ? [verdict.evidence, ...verdict.further] : []
}

/** Marks the accepted deviations of a finding, each with the reason. */
export function markKnown(
  { rule, verdict }: Finding,
  reasonFor: (evidence: Evidence) => string | undefined,
): Finding {
  if (verdict.kind !== 'failed') return { rule, verdict }
  const mark = (each: Evidence) => ({ ...each, known: each.known ?? reasonFor(each) })
  const { evidence, further } = verdict
  return { rule, verdict: { ...verdict, evidence: mark(evidence), further: further.map(mark) } }
}

/** The reason for a rule without any check. */
const unplayed = 'No reply of this run showed whether the target follows the rule.'

/** Received value, with the exchange that shows it. */
export interface Seen {
  readonly exchange: Exchange
  readonly received?: unknown
}

/** The received value of a failed check, if it is not the whole reply, and its details. */
type FailureEvidence = readonly [received?: unknown, details?: CheckDetails]

/** Maximum number of stored values of a choice. */
const mostChoices = 12

/** Inputs of the verdicts. */
export interface VerdictOptions {
  readonly skips: (rule: Rule) => string | undefined
  readonly secrets: Secrets
  /** Called for each deviation of a rule that is not skipped. */
  readonly onDeviation?: (rule: Rule, evidence: Evidence) => void
  /** The prefix of the names in the run, which headlines omit. */
  readonly prefix?: string
  /** The requests that led to an exchange. */
  readonly historyOf?: (exchange: Exchange) => readonly SentRequest[]
}

/** A deviation with the parts of its reproduction. */
export interface Reproducible {
  readonly rule: Rule
  readonly evidence: Evidence
  readonly exchange: Exchange
  readonly history: readonly SentRequest[]
}

/** Collects one verdict per rule: failed checks decide, each deviation once; else one that passed. */
export class Verdicts {
  readonly #verdicts = new Map<RuleId, Verdict>()
  readonly #histories = new WeakMap<Evidence, Pick<Reproducible, 'exchange' | 'history'>>()
  readonly #choices = new Map<string, Map<string, string>>()
  readonly #options: VerdictOptions

  constructor(options: VerdictOptions) {
    this.#options = options
  }

  /**
   * Records whether an exchange passes a rule. `received` is the actual value; undefined if the value was absent. Without
   * the property, the whole reply is the actual value.
   */
  check(id: RuleId, holds: boolean, exchange: Exchange, ...failure: FailureEvidence): void {
    const rule = ruleOf(id)
    const before = this.#verdicts.get(id)
    if (holds) {
      if (before?.kind === 'failed') return
      // A flaky rule and one without a reply do not change.
      if (before?.kind === 'flaky' || (before?.kind === 'blocked' && before.cause === 'failure')) return
      this.#verdicts.set(id, {
        kind: 'passed',
        exchanges: before?.kind === 'passed' ? before.exchanges + 1 : 1,
      })
      return
    }
    const known = before === undefined ? [] : evidenceOf({ verdict: before })
    if (known.length >= mostDeviations) return
    const difference = this.#difference(rule, exchange, failure)
    const key = deviationKey(difference)
    if (known.some((each) => deviationKey(each) === key)) return
    const added = this.#evidence(difference, exchange)
    const [evidence = added, ...further] = [...known, added]
    this.#verdicts.set(id, { kind: 'failed', evidence, further })
    // The report contains no skipped rules.
    if (this.#options.skips(rule) === undefined) this.#options.onDeviation?.(rule, added)
  }

  #difference(rule: Rule, exchange: Exchange, failure: FailureEvidence): Difference {
    const [received, details = {}] = failure
    const redact = (text: string) => this.#options.secrets.redact(text)
    const difference = differenceOf({
      rule,
      exchange,
      received: failure.length === 0 ? undefined : { value: received },
      expected: 'expected' in details ? { value: details.expected } : undefined,
      described: details.described,
    })
    return {
      ...difference,
      headline: this.#withoutRun(redact(difference.headline)),
      expected: shorten(redact(difference.expected)),
      received: shorten(redact(difference.received)),
      expectedForm: redact(difference.expectedForm),
      receivedForm: redact(difference.receivedForm),
      causes: difference.causes.map(redact),
    }
  }

  #evidence(difference: Difference, exchange: Exchange): Evidence {
    const redact = (text: string) => this.#options.secrets.redact(text)
    const evidence = {
      ...difference,
      request: redact(`${exchange.method} ${plainPath(exchange.path)}`),
      httpStatus: exchange.httpStatus,
      reply: shorten(redact(excerptOf(exchange.text))),
      steps: [],
      curl: '',
      reproduction: '',
    }
    this.#histories.set(evidence, { exchange, history: this.#options.historyOf?.(exchange) ?? [] })
    return evidence
  }

  /** The deviations of checked rules, with the parts of their reproductions; those with the fewest requests first. */
  reproducible(): Reproducible[] {
    const all = [...this.#verdicts].flatMap(([id, verdict]): Reproducible[] => {
      const rule = ruleOf(id)
      if (this.#options.skips(rule) !== undefined) return []
      return evidenceOf({ verdict }).flatMap((evidence) => {
        const history = this.#histories.get(evidence)
        return history === undefined ? [] : [{ rule, evidence, ...history }]
      })
    })
    return all.toSorted((one, other) => one.history.length - other.history.length)
  }

  /** Adds the reproduction to deviations, one of which it shows. */
  addReproduction(
    reproducible: readonly Reproducible[],
    { script, curl, steps, headers }: Reproduction,
    shown: Evidence | undefined,
  ): void {
    const condition = headers.length > 0 ? ` with the header ${headers.join(' and ')}` : ''
    for (const { rule, evidence } of reproducible) {
      const verdict = this.#verdicts.get(rule.id)
      if (verdict?.kind !== 'failed') continue
      const replace = (each: Evidence) =>
        each === evidence
          ? {
              ...each,
              headline: each.headline + condition,
              steps,
              curl,
              reproduction: script,
              ...(each === shown && { isInScript: true }),
            }
          : each
      this.#verdicts.set(rule.id, {
        ...verdict,
        evidence: replace(verdict.evidence),
        further: verdict.further.map(replace),
      })
    }
  }

  /** Shortens the names that the run has generated. */
  #withoutRun(text: string): string {
    const { prefix = '' } = this.#options
    if (prefix === '') return text
    return text.replaceAll(new RegExp(`[_-]?${patternOfRun(prefix)}[_-]?`, 'g'), (part) =>
      /^[_-].*[_-]$/.test(part) ? (part[0] ?? '') : '',
    )
  }

  /** Records a choice of the target where the specification is silent, by the assumption that names it. */
  chose(reason: string, attribute: string, value: unknown): void {
    const choices = this.#choices.get(reason) ?? new Map<string, string>()
    const chosen = `${attribute}: ${JSON.stringify(value) ?? 'nothing'}`
    // A few examples are enough for values that differ each time.
    if (choices.size >= mostChoices || choices.has(chosen)) return
    this.#choices.set(reason, choices.set(chosen, shorten(this.#options.secrets.redact(chosen))))
  }

  /** Choices of the target, by the id of the assumption. */
  get choices(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(
      [...this.#choices].map(([reason, chosen]) => [reason, [...chosen.values()].sort()]),
    )
  }

  /** Records a deviation that occurred once, and not a second time. */
  flaky(id: RuleId, { exchange, received, ...details }: CheckDetails & Seen): void {
    if (this.#verdicts.get(id)?.kind === 'failed') return
    const difference = this.#difference(ruleOf(id), exchange, [received, details])
    const evidence = this.#evidence(difference, exchange)
    this.#verdicts.set(id, { kind: 'flaky', evidence })
  }

  /** The rules that failed once, and not a second time. */
  get flakyRules(): readonly RuleId[] {
    return [...this.#verdicts].filter(([, { kind }]) => kind === 'flaky').map(([id]) => id)
  }

  /** Records that the target did not answer a request, which blocks the rules about its reply. */
  unanswered({ message, method, path }: TransportError): void {
    const reached = operationOf(method, path)
    const id = derivedRule(reached?.isDocumented ? reached.facts.operation : 'otherRequests', 'status-200')
    if (id === undefined || this.#verdicts.get(id)?.kind === 'failed') return
    const missing = this.#options.secrets.redact(message)
    this.#verdicts.set(id, { kind: 'blocked', missing, cause: 'failure' })
  }

  /** Records the missing precondition of rules without a verdict. */
  notReached(ids: readonly RuleId[], missing: string, cause: Cause): void {
    for (const id of ids) {
      if (!this.#verdicts.has(ruleOf(id).id))
        this.#verdicts.set(id, { kind: 'blocked', missing: this.#options.secrets.redact(missing), cause })
    }
  }

  /** Every rule of the catalogue with its verdict. */
  findings(): Finding[] {
    return rules.map((rule) => {
      const flag = this.#options.skips(rule)
      if (flag !== undefined) return { rule, verdict: { kind: 'skipped', flag } }
      const verdict = this.#verdicts.get(rule.id)
      return { rule, verdict: verdict ?? { kind: 'blocked', missing: unplayed, cause: 'replies' } }
    })
  }
}
