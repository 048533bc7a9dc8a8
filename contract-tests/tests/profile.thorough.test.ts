import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mageAi0979 } from '../../src/profiles/index.ts'
import { newDeviations } from '../reports/report.ts'
import { isDerived } from '../rules/derived.ts'
import { checkTarget } from '../runner/check-target.ts'
import { answering } from '../targets/answering.ts'
import { builtIn, createTarget } from '../targets/built-in.ts'
import { applyBaseline, parseBaseline } from '../verify/baseline.ts'

const path = join(import.meta.dirname, '../baselines/mage-ai-0.9.79.json')
const baseline = parseBaseline(await readFile(path, 'utf8'), 'mage-ai-0.9.79.json')

it.each(['login', 'open'] as const)(
  'deviates with the profile as the baseline of the real server lists, with auth %s',
  async (auth) => {
    const target = answering(createTarget({ profile: mageAi0979, auth }))
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
    const { findings, gone } = applyBaseline(result.findings, baseline, auth)
    const listed = new Set(baseline.deviations.flatMap(({ rules }) => rules))
    const others = newDeviations(findings)
      // The profile shows no stack traces. Of an error with one, the rule alone is compared.
      .filter(({ rule, evidence }) => !(listed.has(rule.id) && evidence.receivedForm.includes('traceback')))
      // The status of a started backfill depends on the time of the run.
      .filter(({ evidence }) => !(evidence.attribute === 'status' && evidence.expectedForm === 'failed'))
      .map(({ rule, evidence }) => `${rule.id}: ${evidence.receivedForm}`)

    expect(others).toEqual([])
    // The profile does not imitate these, or only more sequences reach them. Timestamps of updates depend on the time of the
    // run.
    const isOfTime = (rule: string) => /^(?:update|delete)-backfill\/timestamps$/.test(rule)
    expect(gone.filter((rule) => !isOfTime(rule) && (sequences > 0 || !isDerived(rule)))).toEqual([
      'conventions/nested-list',
      'list-metadata/pipelines',
      'block-uuid/safe',
      'backfill-times/updated-at',
      ...(auth === 'open'
        ? [
            'create-pipeline/read-back',
            'read-pipeline/status-200',
            'read-pipeline/envelope',
            'create-block/accepted',
            'create-block/unchanged-neighbours',
            'delete-block/accepted',
            'trigger-pipeline/envelope',
            'trigger-pipeline/accepted',
          ]
        : []),
    ])
  },
)
