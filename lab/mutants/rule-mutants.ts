import { type Aspect, type DerivedRuleId, derivedRules } from '../../contract-tests/rules/derived.ts'
import { allMutants, type GeneratedMutant } from './draw.ts'

/** The operators, some with an aspect, whose mutants violate the rules about an aspect of an operation. */
const operatorsOf: Readonly<Record<Aspect, readonly string[]>> = {
  'status-200': ['success-as-http-201'],
  envelope: ['record-under-data', 'list-under-items'],
  attributes: ['drop', 'session-token-otherwise.token-absent'],
  timestamps: ['iso-timestamp.created_at', 'iso-timestamp'],
  accepted: ['path-elsewhere', 'refuses-listed-value', 'session-token-otherwise'],
  values: ['begins-otherwise', 'read-again-otherwise', 'text-replaced', 'stored-otherwise', 'copy-changed'],
  'read-back': ['echoed-stored-otherwise', 'change-lost'],
  'unchanged-neighbours': ['neighbour-shown-otherwise'],
  refuses: ['unknown-done', 'token-read-otherwise', 'password-read-otherwise'],
  'refused-unchanged': ['changed-by-refusal'],
  triggers: ['schedules-of-none'],
  complete: ['first-for-all'],
  filter: ['other-parent', 'parameter-ignored.pipeline_uuid', 'parameter-ignored.show_all'],
  paging: ['limit-one-more'],
  next: ['next-always-true'],
  'run-count': ['uncounted'],
  credentials: ['key-absent-passes'],
}

/** Rules for which the operators of their aspect are too weak, or that have no operation of their own. */
const exceptions: Partial<Record<DerivedRuleId, string>> = {
  'list-pipeline-schedules/values': 'text-replaced',
  'read-block/values': 'text-replaced',
  'other-requests/status-200': 'unknown-path-otherwise.status',
  'other-requests/envelope': 'unknown-path-otherwise.body',
}

const mutantsByOperation = new Map<string, GeneratedMutant[]>()
for (const mutant of allMutants) {
  const others = mutantsByOperation.get(mutant.operation) ?? []
  mutantsByOperation.set(mutant.operation, others)
  others.push(mutant)
}

/** Finds a mutant that violates the rule about an aspect of an operation. */
function mutantFor(id: DerivedRuleId, operation: string): GeneratedMutant {
  const exception = exceptions[id]
  const operators = Object.entries(operatorsOf).find(([aspect]) => id.endsWith(`/${aspect}`))?.[1] ?? []
  const candidates = (exception ? [exception] : operators).flatMap((name) => {
    const [operator, part] = name.split('.')
    return (mutantsByOperation.get(operation) ?? []).filter(
      (mutant) => mutant.operator === operator && (part === undefined || mutant.name.includes(`.${part}/`)),
    )
  })
  // Sessions must work at first: no run can verify a target without them.
  const trigger = operation === 'createSession' ? 'from-the-fourth-request' : 'always'
  const found = candidates.find((mutant) => mutant.trigger === trigger) ?? candidates[0]
  if (found === undefined) throw new Error(`No operator generates a mutant for the rule ${id}.`)
  return found
}

/** A mutant for each rule about an aspect of an operation. */
export const ruleMutants = derivedRules.map(({ id, operation }) => ({
  ...mutantFor(id, operation),
  breaks: id,
}))
