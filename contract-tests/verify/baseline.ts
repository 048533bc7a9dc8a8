import * as z from 'zod'
import { parseJson, TooDeepError } from '../../src/shared/json.ts'
import type { CheckedFinding } from '../reports/report.ts'
import { isRuleId, type RuleId } from '../rules/index.ts'
import type { Finding } from '../runner/verdicts.ts'

const modes = ['open', 'login'] as const

const schema = z.strictObject({
  $schema: z.string().optional(),
  target: z.string(),
  recorded: z.string().optional(),
  deviations: z.array(
    z.strictObject({
      rule: z.string(),
      reason: z.string().min(1),
      modes: z.array(z.enum(modes)).optional(),
      // A deviation that does not show in every run: where it is not seen, it is not gone.
      sometimes: z.literal(true).optional(),
    }),
  ),
})

/** What the file of a baseline says. */
type BaselineFile = z.infer<typeof schema>

/** Known deviations of a target, each with its reason. */
export type Baseline = Omit<BaselineFile, 'deviations'> & {
  readonly deviations: readonly (Omit<BaselineFile['deviations'][number], 'rule'> & {
    readonly rule: RuleId
  })[]
}

/**
 * Reads a baseline; `name` is said in errors.
 *
 * @throws where it is not of that form, or names a rule that does not exist.
 * @example
 * parseBaseline('{ "target": "ours", "deviations": [{ "rule": "trigger/running", "reason": "Known." }] }', 'known.json')
 */
export function parseBaseline(text: string, name: string): Baseline {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    if (error instanceof TooDeepError) throw new Error(`The baseline ${name}: ${error.message}.`)
    throw new Error(`The baseline ${name} is not JSON.`)
  }
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(
      `The baseline ${name} is broken at ${issue?.path.join('.') || 'its root'}: ${issue?.message}.`,
    )
  }
  const deviations = parsed.data.deviations.map(({ rule, ...rest }) => {
    if (!isRuleId(rule)) throw new Error(`The baseline ${name} names ${rule}, which is no rule.`)
    return { ...rest, rule }
  })
  return { ...parsed.data, deviations }
}

/** Holds findings against a baseline: which deviations are known, and which known ones are gone. */
export function applyBaseline(
  findings: readonly Finding[],
  baseline: Baseline | undefined,
  mode: (typeof modes)[number],
): { findings: CheckedFinding[]; gone: string[] } {
  const inMode = (baseline?.deviations ?? []).filter((entry) => entry.modes?.includes(mode) ?? true)
  const known = new Map(inMode.map(({ rule, reason }) => [rule, reason]))
  const steady = new Set(inMode.filter(({ sometimes }) => !sometimes).map(({ rule }) => rule))
  return {
    findings: findings.map((finding) => ({
      ...finding,
      known: mayBeKnown(finding) ? known.get(finding.rule.id) : undefined,
    })),
    gone: findings
      .filter(({ rule, verdict }) => verdict.kind === 'passed' && steady.has(rule.id))
      .map(({ rule }) => rule.id),
  }
}

/** Whether a baseline has a say: of what is broken, and of what the target's replies let nobody come to. */
function mayBeKnown({ verdict }: Finding): boolean {
  return verdict.kind === 'failed' || (verdict.kind === 'blocked' && verdict.cause === 'replies')
}
