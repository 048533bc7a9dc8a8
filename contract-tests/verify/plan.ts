import { counted } from '../reports/report.ts'
import { rules } from '../rules/index.ts'
import type { CheckOptions } from '../runner/options.ts'
import { selectedGroups, selectedRules } from '../runner/selection.ts'

/** Describes what a run would read, create, delete and leave behind with its options. Sends nothing. */
export function planOf(options: Omit<CheckOptions, 'target'>): string {
  const chosen = selectedRules(options)
  const of = (effects: string) => chosen.filter((rule) => rule.effects === effects).length
  const counts = `${of('reads')} read, ${of('writes')} write, ${of('deletes')} delete, ${of('destructive')} may damage`
  return [
    `${chosen.length} of ${counted(rules.length, 'rule')}: ${counts}.`,
    ...(options.readOnly ? readOnlyLines(options) : writingLines(options)),
    '',
  ].join('\n')
}

type PlanOptions = Omit<CheckOptions, 'target'>

/** Signing in is the only request of a run that reads which creates something. */
function readOnlyLines(options: PlanOptions): string[] {
  return [
    `Creates: ${tokensOf(options) ?? 'nothing'}.`,
    'Deletes: nothing.',
    `Leaves behind: ${tokensOf(options) ?? 'nothing'}.`,
  ]
}

function writingLines(options: PlanOptions): string[] {
  const { useConventions = false } = options
  const tokens = tokensOf(options)
  const remaining = [
    ...(useConventions ? [] : ['its pipelines, which no documented endpoint deletes']),
    'runs that it triggered, where the target stores them',
    ...(tokens === undefined ? [] : [tokens]),
  ]
  return [
    'Creates:',
    ...selectedGroups(options).map(({ name, makes }) => `  ${name}: ${makes}`),
    ...(tokens === undefined ? [] : [`  sign-in: ${tokens}`]),
    `Deletes: its backfills and blocks${useConventions ? ', schedules and pipelines' : ''}. Other records are not deleted.`,
    `Leaves behind: ${remaining.join('; ')}.`,
  ]
}

/** The tokens of sessions: no documented endpoint deletes them. */
function tokensOf({ email, password }: PlanOptions): string | undefined {
  const signsIn = email !== undefined && password !== undefined
  return signsIn ? 'tokens of the sessions that it opens, until they expire' : undefined
}
