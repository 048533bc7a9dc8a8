import { rules } from '../rules/index.ts'
import type { CheckOptions } from '../runner/options.ts'
import { selectedGroups, selectedRules } from '../runner/selection.ts'

/** Says what judging a target would read, write, delete and leave behind; sends nothing. */
export function planOf(options: Omit<CheckOptions, 'target'>): string {
  const chosen = selectedRules(options)
  const played = selectedGroups(options)
  const of = (effects: string) => chosen.filter((rule) => rule.effects === effects).length
  const lines = [
    `${chosen.length} of ${rules.length} rules: ${of('reads')} read, ${of('writes')} write, ${of('deletes')} delete, ${of('destructive')} may damage.`,
    'Creates:',
    ...played.map(({ name, makes }) => `  ${name}: ${makes}`),
    'Deletes: every block and backfill it created' +
      (options.useConventions ? ', every pipeline and schedule too (by the conventions).' : '.'),
    options.useConventions || options.readOnly
      ? 'Leaves behind: runs it triggered, where the target keeps them.'
      : 'Leaves behind: the pipelines it created (the documented API cannot delete them) and runs it triggered.',
  ]
  return `${lines.join('\n')}\n`
}
