import { defineRules, type RuleOf } from './define-rules.ts'
import { type FieldRuleId, fieldsOf, recordFields } from './fields.ts'

/** One rule for each attribute of each table. */
export const fieldRules: readonly RuleOf<FieldRuleId>[] = recordFields.flatMap(
  ({ record, section, operation, effects, needs, ...table }) =>
    fieldsOf(record).flatMap(({ id, field, shape: { expected } }) => {
      const claim = `\`${field}\` is ${expected}.`
      return defineRules({ section, prefix: `${record}-fields`, operation, effects, needs }, [
        [field, claim, 'sentence' in table ? table.sentence : undefined],
      ]).map((rule) => ({ ...rule, id }))
    }),
)
