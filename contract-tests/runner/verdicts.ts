import { derivedRule, isDerived } from '../rules/derived.ts'
import { rowAbout } from '../rules/document.ts'
import { type Rule, type RuleId, ruleOf, rules, type Sentence } from '../rules/index.ts'
import type { Exchange, TransportError } from './client.ts'
import { Confirmation } from './confirmation.ts'
import { excerptOf, shorten, withoutTraces } from './excerpt.ts'
import { rowOf } from './invariants/record-invariants.ts'
import { isObject } from './is-object.ts'
import { operationOf } from './operation-of.ts'
import type { Secrets } from './redact.ts'
import type { ShownDeviation } from './reproduction.ts'

/** What was seen where a rule does not hold. */
export interface Evidence {
  /** The rule in our words. */
  readonly documented: string
  /** The sentence that it violates: the row of the attribute, where the rule is about all of them. */
  readonly sentence: Sentence
  /** What should have come, as far as it is one value. */
  readonly expected: string
  /** What came instead. */
  readonly received: string
  /** The request whose reply shows it. */
  readonly request: string
  readonly httpStatus: number
  /** That reply, stack traces cut. */
  readonly reply: string
  /** Findings that say the same here have one cause. */
  readonly cause: string
  /** What was sent before it, where a sequence led there. */
  readonly steps: readonly string[]
  /** The request as a curl command. */
  readonly curl: string
  /** A script that creates what the request needs, sends it, and cleans up. */
  readonly reproduction: string
}

/**
 * Why a rule was not reached: the target lacks something the document cannot create, or a permission is missing (`need`);
 * its replies left nothing to go on with (`replies`); no reply came, or the verifier failed (`failure`).
 */
export type Cause = 'need' | 'replies' | 'failure'

/** What became of a rule. */
export type Verdict =
  | { readonly kind: 'passed'; readonly exchanges: number }
  | { readonly kind: 'failed'; readonly evidence: Evidence }
  /** A deviation was seen once, and not when the same was tried again from scratch. */
  | { readonly kind: 'flaky'; readonly evidence: Evidence }
  | { readonly kind: 'blocked'; readonly missing: string; readonly cause: Cause }
  | { readonly kind: 'skipped'; readonly flag: string }

/** A rule with its verdict. */
export interface Finding {
  readonly rule: Rule
  readonly verdict: Verdict
}

/** What a check may say besides: the value that should have come, and the requests that lead to the one that shows it. */
export interface CheckDetails {
  readonly expected?: unknown
  /** What should have come, in words, where it is not one value. */
  readonly described?: string
  /** Exchanges are sent again by the reproduction; texts only tell what came before. */
  readonly steps?: readonly (Exchange | string)[]
}

/** What is said of a rule to which no check came. */
export const unplayed =
  'No check came to it: see what broke before; where nothing did, it is a defect of the verifier, to be reported.'

/** What was received, and the exchange that shows it. */
export interface Seen {
  readonly exchange: Exchange
  readonly received?: unknown
}

/** How many values of a choice are kept. */
const mostChoices = 12

/** What verdicts are made with. */
export interface VerdictOptions {
  readonly skips: (rule: Rule) => string | undefined
  readonly secrets: Secrets
  /** Told of each rule that is judged and found broken. */
  readonly onBroken?: () => void
  /** Writes the reproduction of an exchange. */
  readonly reproduce?: (
    exchange: Exchange,
    shown: ShownDeviation,
    steps: readonly Exchange[] | undefined,
  ) => string
}

/** Collects one verdict per rule: the first broken check decides, else one that held. */
export class Verdicts {
  readonly #verdicts = new Map<RuleId, Verdict>()
  readonly #choices = new Map<string, Map<string, string>>()
  readonly #options: VerdictOptions
  #trial: Confirmation<Evidence> | undefined

  constructor(options: VerdictOptions) {
    this.#options = options
  }

  /**
   * Notes whether a rule holds in an exchange; `received` says what was seen instead, undefined that it was absent. Without
   * it the whole reply was.
   */
  check(
    id: RuleId,
    holds: boolean,
    exchange: Exchange,
    ...said: [received?: unknown, details?: CheckDetails]
  ): void {
    const rule = ruleOf(id)
    const before = this.#verdicts.get(id)
    if (before?.kind === 'failed') return
    if (this.#trial !== undefined && !holds) {
      this.#trial.broken(id, () => this.#evidence(rule, exchange, said))
      return
    }
    if (this.#trial?.holds(id)) return
    if (holds) {
      // What was seen once otherwise, or was not answered at all, is not made good.
      if (before?.kind === 'flaky' || (before?.kind === 'blocked' && before.cause === 'failure')) return
      this.#verdicts.set(id, {
        kind: 'passed',
        exchanges: before?.kind === 'passed' ? before.exchanges + 1 : 1,
      })
      return
    }
    this.#breaks(id, this.#evidence(rule, exchange, said))
  }

  #breaks(id: RuleId, evidence: Evidence): void {
    this.#verdicts.set(id, { kind: 'failed', evidence })
    // What is not judged is not said either.
    if (this.#options.skips(ruleOf(id)) === undefined) this.#options.onBroken?.()
  }

  /** Holds back what is found broken from now on, until it is settled whether it stays so. */
  tryTwice(): Confirmation<Evidence> {
    this.#trial = new Confirmation<Evidence>()
    return this.#trial
  }

  /** Says what a trial has found. */
  settle(): void {
    const settled = [...(this.#trial?.settled() ?? [])]
    this.#trial = undefined
    for (const [id, evidence, isSteady] of settled)
      if (isSteady) this.#breaks(id, evidence)
      else this.#verdicts.set(id, { kind: 'flaky', evidence })
  }

  #evidence(
    rule: Rule,
    exchange: Exchange,
    said: readonly [received?: unknown, details?: CheckDetails],
  ): Evidence {
    const [received, details = {}] = said
    const { steps = [] } = details
    const exchanges = steps.filter((step) => typeof step !== 'string')
    const before = exchanges.length > 0 ? exchanges : undefined
    const redact = (text: string) => this.#options.secrets.redact(text)
    const reply = shorten(redact(excerptOf(exchange.text)))
    const seen = said.length === 0 ? reply : shorten(redact(write(received)))
    const value = 'expected' in details ? write(details.expected) : rule.claim
    const shown = {
      title: `${rule.id}: ${rule.claim} (line ${rule.sentence.line}, ${rule.source})`,
      expected: shorten(redact(details.described ?? value)),
      received: seen,
    }
    return {
      documented: rule.claim,
      sentence: violatedSentence(rule, received),
      expected: shown.expected,
      received: seen,
      request: redact(`${exchange.method} ${exchange.path}`),
      httpStatus: exchange.httpStatus,
      reply,
      cause: redact(causeOf(rule, exchange, seen)),
      curl: exchange.curl,
      steps: steps.map((step) => redact(typeof step === 'string' ? step : `${step.method} ${step.path}`)),
      reproduction: this.#options.reproduce?.(exchange, shown, before) ?? exchange.curl,
    }
  }

  /** Takes down what the target chooses where the document leaves it open, by the assumption that names the choice. */
  chose(freedom: string, attribute: string, value: unknown): void {
    const choices = this.#choices.get(freedom) ?? new Map<string, string>()
    const chosen = `${attribute}: ${JSON.stringify(value) ?? 'nothing'}`
    // Of what is different each time some show it.
    if (choices.size >= mostChoices || choices.has(chosen)) return
    this.#choices.set(freedom, choices.set(chosen, shorten(this.#options.secrets.redact(chosen))))
  }

  /** What the target has chosen, by the id of the assumption. */
  get choices(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(
      [...this.#choices].map(([freedom, chosen]) => [freedom, [...chosen.values()].sort()]),
    )
  }

  /** Notes that a deviation was seen once, and not a second time. */
  flaky(id: RuleId, { exchange, received, ...details }: CheckDetails & Seen): void {
    if (this.#verdicts.get(id)?.kind === 'failed') return
    const evidence = this.#evidence(ruleOf(id), exchange, [received, details])
    this.#verdicts.set(id, { kind: 'flaky', evidence })
  }

  /** The rules that were seen broken once, and not a second time. */
  get flakyRules(): readonly RuleId[] {
    return [...this.#verdicts].filter(([, { kind }]) => kind === 'flaky').map(([id]) => id)
  }

  /** Notes that a request of an operation is not answered, so that what a reply must be cannot be judged. */
  unanswered({ message, method, path }: TransportError): void {
    const reached = operationOf(method, path)
    const id = derivedRule(reached?.isDocumented ? reached.facts.operation : 'other', 'status-200')
    if (id === undefined || this.#verdicts.get(id)?.kind === 'failed') return
    const missing = this.#options.secrets.redact(message)
    this.#verdicts.set(id, { kind: 'blocked', missing, cause: 'failure' })
  }

  /** Says what was missing to judge rules that have no verdict yet. */
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

/** The sentence that a finding violates: of a rule about all attributes, the row of the first that was received otherwise. */
function violatedSentence({ id, operation, sentence }: Rule, received: unknown): Sentence {
  if (!isDerived(id) || !isObject(received)) return sentence
  const [name = ''] = [received.absent ?? Object.keys(received)].flat()
  const row = String(name).startsWith('error.')
    ? rowAbout('Errors', String(name).slice('error.'.length))
    : rowOf(operation, String(name))
  return row === undefined ? sentence : { line: row.line, text: row.text.slice(2, -2) }
}

/** A value as a finding shows it: what is absent is told from null. */
function write(value: unknown): string {
  if (value === undefined) return '(absent)'
  return JSON.stringify(withoutTraces(value), (_, inner: unknown) =>
    inner === undefined ? '(absent)' : inner,
  )
}

/** Puts in words what findings have in common: a reply that failed as a whole explains everything that it should show. */
function causeOf(rule: Rule, exchange: Exchange, received: string): string {
  const where = `${exchange.method} ${patternOf(exchange.path)}`
  const { error, body, httpStatus } = exchange
  if (body === undefined) return `${where} answers what is no JSON (HTTP ${httpStatus})`
  const isAboutErrors = rule.section === 'Errors' || rule.section === 'Authentication'
  if (isAboutErrors) return `${rule.id}: ${received}`
  if (error !== undefined)
    return `${where} answers an error: ${excerptOf(String(error.message ?? error.type ?? error.code))}`
  if (httpStatus >= 400) return `${where} answers HTTP ${httpStatus}`
  return `${where}: ${received}`
}

/** A path without what is particular to one record. */
function patternOf(path: string): string {
  const [plain = ''] = path.split('?')
  return plain.replaceAll(
    /(?<=\/(?:pipelines|blocks|backfills|pipeline_schedules|pipeline_runs)\/)[^/]+/g,
    '…',
  )
}
