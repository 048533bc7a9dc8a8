import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mageAi0979 } from '../../src/profiles/index.ts'
import { firstOf } from '../../tests/support/depth.ts'
import { newDeviations } from '../reports/report.ts'
import { isDerived } from '../rules/derived.ts'
import { checkTarget } from '../runner/check-target.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'
import { parseBaselineFile } from '../verify/baseline.ts'

const path = join(import.meta.dirname, '../baselines/mage-ai-0.9.79.json')
const baseline = parseBaselineFile(await readFile(path, 'utf8'), 'mage-ai-0.9.79.json')

const rulesOf = (entry: (typeof baseline.deviations)[number]) =>
  'rules' in entry ? entry.rules : [entry.rule]

it.each(firstOf(1, ['login', 'open'] as const))(
  'deviates with the profile as the baseline of the real server lists, with auth %s',
  async (auth) => {
    const target = createTarget({ profile: mageAi0979, auth })
    // Without authentication the real server signs nobody in.
    const { apiKey, email, password, ...allowed } = builtIn
    const credentials = auth === 'login' ? { apiKey, email, password } : {}
    // Sequences run in one mode: apart from credentials, both modes give the same findings.
    const sequences = auth === 'open' ? 1 : 0
    const result = await checkTarget({
      ...allowed,
      ...credentials,
      allowDestructive: false,
      sequences,
      shrink: false,
      // The profile deviates each time.
      confirm: false,
      target,
    })
    const inMode = baseline.deviations.filter(({ modes = [auth] }) => modes.includes(auth))
    const known = new Set<string>(inMode.flatMap(rulesOf))
    const steady = new Set<string>(inMode.filter(({ sometimes }) => !sometimes).flatMap(rulesOf))
    const gone = result.findings
      .filter(({ rule, verdict }) => verdict.kind === 'passed' && steady.has(rule.id))
      .map(({ rule }) => rule.id)
    const others = newDeviations(result.findings).filter(({ rule }) => !known.has(rule.id))

    expect(others).toEqual([])
    // The profile does not imitate these, or only more sequences reach them. Timestamps of updates depend on the time of the
    // run.
    const isOfTime = (rule: string) => /^(?:update|delete)-backfill\/timestamps$/.test(rule)
    expect(gone.filter((rule) => !isOfTime(rule) && (sequences > 0 || !isDerived(rule)))).toEqual(
      auth === 'open'
        ? ['create-pipeline/read-back', 'trigger-pipeline/status-200', 'trigger-pipeline/accepted']
        : [],
    )
  },
)
