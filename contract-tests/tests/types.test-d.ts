// Checked by `tsc --noEmit`: each typo below must not compile, or its `@ts-expect-error` is an error itself.

import type { ConformingVariant } from '../../lab/conforming/variant.ts'
import { facts, onSuccess } from '../../lab/mutants/mutant.ts'
import { named } from '../../lab/mutants/triggers.ts'
import { omits, reaches, refuses, sets } from '../mutants/changes.ts'
import type { FaultyServer, Passing } from '../mutants/define-mutant.ts'
import { defineMutants } from '../mutants/servers/define-mutants.ts'
import { defineRules } from '../rules/define-rules.ts'
import { fieldsOf } from '../rules/fields.ts'
import { type RuleId, ruleOf } from '../rules/index.ts'
import type { Exchange } from '../runner/client.ts'
import type { Verdicts } from '../runner/verdicts.ts'
import type { Baseline } from '../verify/baseline.ts'

declare const verdicts: Verdicts
declare const exchange: Exchange
declare const passing: Passing

verdicts.check('create-backfill/values', true, exchange)
// @ts-expect-error: a rule id with a typo
verdicts.check('backfill-create/nam', true, exchange)
// @ts-expect-error: a rule id with an underscore where the catalogue has a hyphen
verdicts.check('backfill-create/null-start_datetime', true, exchange)
// @ts-expect-error: a rule id whose last part is no known status
verdicts.check('backfill-states/paused', true, exchange)
// @ts-expect-error: a field that the document's table does not list
verdicts.check('pipeline-fields/colour', true, exchange)
// @ts-expect-error: a rule id that was never checked
verdicts.check('create-backfill/values' as string, true, exchange)

verdicts.notReached(['list-logs/envelope', 'list-logs/filter'], 'No pipeline.', 'need')
// @ts-expect-error: a rule that was not reached for no cause
verdicts.notReached(['list-logs/envelope', 'list-logs/filter'], 'No pipeline.')
// @ts-expect-error: one typo in a list of rules
verdicts.notReached(['list-logs/envelope', 'logs/meta-data'], 'No pipeline.', 'need')

export const rightServer: FaultyServer = { name: 'right', breaks: 'list-oauth-access-tokens/envelope' }
// @ts-expect-error: the rule meant to catch a wrong server
export const faultyServer: FaultyServer = { name: 'wrong', breaks: 'token/envelope' }
// @ts-expect-error: the rule meant to detect a mutant
defineMutants({ wrong: ['pipeline-new/descripton', sets('createPipeline', {})] })
// @ts-expect-error: an operation that does not exist
refuses('readPipelines')
// @ts-expect-error: an operation with a typo
omits('listBackfils', 'block_uuid')
// @ts-expect-error: an operation of the table that no wrong server changes
reaches('trigger', passing)

const deviation = { operation: 'Read logs', expected: 'a', received: 'b', reason: 'x' }
// @ts-expect-error: a baseline in code that names no rule
export const baseline: Baseline = { target: 'ours', deviations: [{ ...deviation, rules: ['logs/totls'] }] }
// @ts-expect-error: the rule of an id with a typo
ruleOf('schedule-fields/tag')
// @ts-expect-error: a heading that the document does not have
defineRules({ section: 'Read log', prefix: 'logs', operation: 'listLogs' }, [])
// @ts-expect-error: the fields of no record
fieldsOf('sessions')

// @ts-expect-error: RuleId is a union of ids, and no template that any text fits
export const open: RuleId = `backfill-create/null-${String()}`

onSuccess('listBackfills', () => ({}))
// @ts-expect-error: an operation of a derived wrong server with a typo
onSuccess('listBackfils', () => ({}))
// @ts-expect-error: a trigger that does not exist
named('only-with-an-ofset')
// @ts-expect-error: an operation that no table has
facts('readPipelines')
// @ts-expect-error: a conforming variant that rests on no assumption and no sentence
export const variant: ConformingVariant = { name: 'other', reason: 'list-ordr' }
