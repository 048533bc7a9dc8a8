import { defineRules, type RuleOf } from './define-rules.ts'
import { rowAbout } from './document.ts'
import { type FieldRuleId, fieldsOf, recordFields } from './fields.ts'
import type { Section } from './sections.ts'

/** One rule for each attribute of each table. */
export const fieldRules: readonly RuleOf<FieldRuleId>[] = recordFields.flatMap(
  ({ record, section, operation, effects, needs }) =>
    fieldsOf(record).flatMap(({ id, field, shape: { expected } }) =>
      defineRules({ section, prefix: `${record}-fields`, operation, effects, needs }, [
        [field, `\`${field}\` is ${expected}.`, rowOf(section, field)],
      ]).map((rule) => ({ ...rule, id })),
    ),
)

/** The row of an attribute in its table; log files are described in one sentence. */
function rowOf(section: Section, field: string): string {
  const row = rowAbout(section, field)
  return row === undefined
    ? 'A log file has `name` (string), `path` (string) and `content` (string, may be long).'
    : row.text.slice(2, -2)
}
