import { defineRules, type RuleOf } from './define-rules.ts'
import { rowAbout } from './document.ts'
import { type FieldRuleId, fieldsOf, recordFields } from './fields.ts'
import type { Section } from './sections.ts'

/** One rule for each field of each table. */
export const fieldRules: readonly RuleOf<FieldRuleId>[] = recordFields.flatMap(
  ({ record, section, operation, effects, needs }) =>
    fieldsOf(record).flatMap(({ id, field, shape: { expected } }) =>
      defineRules(
        { section, prefix: `${record}-fields`, operation, effects, needs, ...rowOf(section, field) },
        [[field, `${field} is ${expected}.`]],
      ).map((rule) => ({ ...rule, id })),
    ),
)

/** The line of a field in its table, where it has one. */
function rowOf(section: Section, field: string): { readonly line?: number } {
  const row = rowAbout(section, field)
  return row === undefined ? {} : { line: row.line }
}
