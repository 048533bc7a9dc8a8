import * as z from 'zod'
import { firstFlaw, parseBy } from '../../src/shared/issues.ts'
import { parseJson, TooDeepError } from '../../src/shared/json.ts'
import { isRuleId, type Rule, type RuleId } from '../rules/index.ts'
import { asRuled, deviationKey } from '../runner/difference.ts'
import { type Evidence, evidenceOf, type Finding, markKnown } from '../runner/verdicts.ts'

const modes = ['open', 'login'] as const

/** True if the target checks credentials. */
export type Mode = (typeof modes)[number]

const ruleId = z.custom<RuleId>((value) => typeof value === 'string' && isRuleId(value), {
  error: 'the id of a rule',
})

const shared = {
  reason: z.string(),
  modes: z.array(z.enum(modes)).optional(),
  /** Not seen in every run: where it is not seen, the entry is not out of date. */
  sometimes: z.literal(true).optional(),
}

const deviationSchema = z.strictObject({
  operation: z.string(),
  attribute: z.string().optional(),
  // Files of earlier versions have the words of the rule here.
  expected: z.string().transform((form) => (form.endsWith('.') ? asRuled : form)),
  received: z.string(),
  rules: z.array(ruleId).min(1),
  ...shared,
})

/** The form of earlier versions, which accepted every deviation of a rule. */
const wholeRuleSchema = z.strictObject({ rule: ruleId, ...shared })

const schema = z.strictObject({
  $schema: z.string().optional(),
  target: z.string(),
  recorded: z.string().optional(),
  deviations: z.array(z.looseObject({})),
})

type WholeRule = z.infer<typeof wholeRuleSchema>

/** An accepted deviation, with the rules that it violates. */
export type KnownDeviation = z.infer<typeof deviationSchema>

type Header = Omit<z.infer<typeof schema>, 'deviations'>

/** The accepted deviations of a target, each with its reason. */
export type Baseline = Header & { readonly deviations: readonly KnownDeviation[] }

/** A baseline, whose entries may have the form of earlier versions. */
export type BaselineFile = Header & { readonly deviations: readonly (KnownDeviation | WholeRule)[] }

/**
 * Parses a baseline; `name` is its file, for errors.
 *
 * @throws if it has another form, names an unknown rule, or has an entry without a reason.
 * @example
 * parseBaseline('{ "target": "ours", "deviations": [] }', 'known.json')
 */
export function parseBaseline(text: string, name: string): Baseline {
  const file = parseBaselineFile(text, name)
  const deviations = file.deviations.filter(isByEvidence)
  if (deviations.length < file.deviations.length)
    throw new Error(
      `The baseline ${name} has entries of the old form, which accept every deviation of a rule. Run once with --update-baseline to replace them by the deviations of this server.`,
    )
  const unexplained = deviations.find(({ reason }) => reason === '')
  if (unexplained !== undefined)
    throw new Error(`The baseline ${name} gives no reason for a deviation: ${describe(unexplained)}.`)
  return { ...file, deviations }
}

/**
 * Parses a baseline for an update: entries may have the old form, and lack a reason.
 *
 * @throws if it has another form, or names an unknown rule.
 */
export function parseBaselineFile(text: string, name: string): BaselineFile {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    if (error instanceof TooDeepError) throw new Error(`The baseline ${name}: ${error.message}.`)
    throw new Error(`The baseline ${name} is not JSON.`)
  }
  const { deviations, ...header } = parsed(schema, value, `The baseline ${name}`)
  return {
    ...header,
    deviations: deviations.map((entry, index) => {
      const where = `Deviation ${index + 1} of the baseline ${name}`
      return 'rule' in entry ? parsed(wholeRuleSchema, entry, where) : parsed(deviationSchema, entry, where)
    }),
  }
}

function parsed<Value>(schemaOfValue: z.ZodType<Value>, value: unknown, where: string): Value {
  const result = parseBy(schemaOfValue, value)
  if (result.success) return result.data
  const { path, expected, found } = firstFlaw(result.error, value, '')
  throw new Error(`${where} is invalid at ${path || 'its root'}: expected ${expected}; found ${found}.`)
}

/** Returns the entries with a reason; a baseline accepts no other deviation. */
export function withReasons({ deviations, ...file }: BaselineFile): Baseline {
  return { ...file, deviations: deviations.filter(isByEvidence).filter(({ reason }) => reason !== '') }
}

/** Gives the reason why a deviation of a rule is known; `undefined` for others. */
export type ReasonFor = (rule: Rule, evidence: Evidence) => string | undefined

/** Finds the reasons for known deviations. */
export function reasonsIn(entries: readonly KnownDeviation[]): ReasonFor {
  const reasons = new Map(
    entries.flatMap((entry) => entry.rules.map((rule) => [keyOf(rule, formsOf(entry)), entry.reason])),
  )
  return ({ id }, evidence) => reasons.get(keyOf(id, deviationKey(evidence)))
}

/** Compares findings with a baseline: marks the deviations that it contains, and lists its rules that pass now. */
export function applyBaseline(
  findings: readonly Finding[],
  baseline: Baseline | undefined,
  mode: Mode,
): { findings: Finding[]; gone: string[] } {
  const entries = (baseline?.deviations ?? []).filter((entry) => isInMode(entry, mode))
  const reasonFor = reasonsIn(entries)
  const steady = new Set(entries.filter(({ sometimes }) => !sometimes).flatMap(({ rules }) => rules))
  return {
    findings: findings.map((finding) => markKnown(finding, (evidence) => reasonFor(finding.rule, evidence))),
    gone: findings
      .filter(({ rule, verdict }) => verdict.kind === 'passed' && steady.has(rule.id))
      .map(({ rule }) => rule.id),
  }
}

/** A deviation of one rule, with the modes of its entry. */
interface Row extends Omit<KnownDeviation, 'rules' | 'modes'> {
  readonly rule: RuleId
  readonly modes: Set<Mode>
}

/**
 * Updates a baseline with the findings of a run: adds new deviations without a reason, replaces entries of the old form by
 * the deviations of their rule, and removes rules that pass now. What the run did not check stays.
 */
export function updateBaseline(file: BaselineFile, findings: readonly Finding[], mode: Mode): BaselineFile {
  const rulesThat = (...kinds: readonly string[]) =>
    new Set(findings.filter(({ verdict }) => kinds.includes(verdict.kind)).map(({ rule }) => rule.id))
  const [passed, checked] = [rulesThat('passed'), rulesThat('passed', 'failed')]
  const old = file.deviations.flatMap((entry) => (isByEvidence(entry) ? [] : [entry]))
  const rows = new Map<string, Row>()
  for (const { rules, modes: inModes = modes, ...entry } of file.deviations.filter(isByEvidence))
    for (const rule of rules) {
      const row = { ...entry, rule, modes: new Set(inModes) }
      if (!entry.sometimes && passed.has(rule)) row.modes.delete(mode)
      rows.set(keyOf(rule, formsOf(entry)), row)
    }
  for (const finding of findings) {
    const rule = finding.rule.id
    const before = old.find((entry) => entry.rule === rule && isInMode(entry, mode))
    for (const evidence of evidenceOf(finding)) {
      const key = keyOf(rule, deviationKey(evidence))
      const row = rows.get(key) ?? newRow(rule, evidence, before)
      rows.set(key, row)
      row.modes.add(mode)
    }
  }
  const unchecked = old.flatMap((entry) => {
    if (!checked.has(entry.rule)) return [entry]
    const others = (entry.modes ?? modes).filter((each) => each !== mode)
    return others.length > 0 ? [{ ...entry, modes: others }] : []
  })
  return { ...file, deviations: [...toEntries([...rows.values()]), ...unchecked] }
}

function newRow(rule: RuleId, evidence: Evidence, before: WholeRule | undefined): Row {
  const { operation, attribute, expectedForm: expected, receivedForm: received } = evidence
  return {
    operation,
    ...(attribute !== undefined && { attribute }),
    expected,
    received,
    rule,
    reason: before?.reason ?? '',
    modes: new Set(),
    ...(before?.sometimes && { sometimes: true }),
  }
}

/** Joins the rules of one deviation. */
function toEntries(rows: readonly Row[]): KnownDeviation[] {
  const entries = new Map<string, KnownDeviation>()
  for (const { rule, modes: inModes, sometimes, reason, ...forms } of rows) {
    if (inModes.size === 0) continue
    const known = modes.filter((mode) => inModes.has(mode))
    const key = JSON.stringify([formsOf(forms), reason, sometimes, known])
    entries.set(key, {
      ...forms,
      rules: [...(entries.get(key)?.rules ?? []), rule],
      reason,
      ...(known.length < modes.length && { modes: known }),
      ...(sometimes && { sometimes }),
    })
  }
  return [...entries.values()]
}

function isByEvidence(entry: BaselineFile['deviations'][number]): entry is KnownDeviation {
  return 'rules' in entry
}

function isInMode({ modes: inModes }: Pick<KnownDeviation, 'modes'>, mode: Mode): boolean {
  return inModes?.includes(mode) ?? true
}

type Forms = Pick<KnownDeviation, 'operation' | 'attribute' | 'expected' | 'received'>

function formsOf({ operation, attribute, expected, received }: Forms): string {
  return deviationKey({ operation, attribute, expectedForm: expected, receivedForm: received })
}

function keyOf(rule: RuleId, forms: string): string {
  return `${rule} ${forms}`
}

function describe({ operation, attribute, expected, received }: Forms): string {
  return `${[operation, attribute].filter(Boolean).join(', ')}: expected ${expected}, received ${received}`
}
