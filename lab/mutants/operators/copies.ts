import { isObject } from '../../../contract-tests/runner/is-object.ts'
import { fittingGuards } from '../guards.ts'
import { asked, facts, mapRecords, type Operator, onSuccess, sentence, without } from '../mutant.ts'
import { deepText, membersAs, pruned, shallow } from './write-strikes.ts'

/** What goes wrong with the copy of a trigger body. */
export const copyOperators: readonly Operator[] = [
  {
    name: 'copy-changed',
    does: 'changes the copy of the trigger body',
    strikes: Object.entries({
      'null-members-lost': (value: unknown) => pruned(value, (inner) => inner === null),
      'falsy-members-lost': (value: unknown) => pruned(value, (inner) => !inner),
      'nested-lost': shallow,
      'members-as-text': (value: unknown) =>
        membersAs(value, (inner) => (isObject(inner) || Array.isArray(inner) ? inner : String(inner))),
      'beyond-ascii-lost': (value: unknown) => deepText(value, (text) => text.replaceAll(/[^ -~\n]/g, '?')),
      wrapped: (value: unknown) => ({ variables: value }),
      'first-member-only': (value: unknown) =>
        isObject(value) ? Object.fromEntries(Object.entries(value).slice(0, 1)) : value,
      'arrays-of-one-unwrapped': (value: unknown) =>
        membersAs(value, (inner) => (Array.isArray(inner) && inner.length === 1 ? inner[0] : inner)),
      'numbers-cut': (value: unknown) =>
        membersAs(value, (inner) => (typeof inner === 'number' ? Math.trunc(inner) : inner)),
      'keys-with-dots-nested': (value: unknown) =>
        isObject(value)
          ? Object.fromEntries(
              Object.entries(value).map(([key, inner]) =>
                key.includes('.') ? [key.split('.')[0], { [key.split('.')[1] ?? '']: inner }] : [key, inner],
              ),
            )
          : value,
      'api-key-lost': (value: unknown) =>
        isObject(value) ? without(value, 'variables', 'pipeline_run') : value,
    }).map(([aspect, change]) => ({
      operation: 'triggerPipeline' as const,
      aspect,
      sentence: sentence('Pipeline run', 'Copy of the JSON object'),
      guards: fittingGuards(facts('triggerPipeline'), undefined, ['request']),
      wrong: (holds) =>
        onSuccess('triggerPipeline', ({ body }, heard) => ({
          body: holds(asked(heard))
            ? mapRecords(body, heard, (run) => ({ ...run, event_variables: change(run.event_variables) }))
            : body,
        })),
    })),
  },
]
