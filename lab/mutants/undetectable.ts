import type { Statement } from '../../contract-tests/rules/document.ts'
import type { AssumptionId } from '../../src/assumptions/index.ts'
import { createGlob } from '../../src/shared/glob.ts'
import { sentence } from './mutant.ts'

/** Mutants that no client can detect, or that the specification allows. */
export interface Undetectable {
  /** A glob of their names: `operator/operation.aspect/trigger`. */
  readonly mutants: string
  readonly reason: string
  /** The assumption or the sentence that leaves it open. */
  readonly leaves?: AssumptionId | Statement
}

/** The mutants that may survive; every other survivor is a gap. */
export const undetectable: readonly Undetectable[] = [
  ...['always', 'from-the-second-request', 'from-the-fourth-request'].map(
    (trigger): Undetectable => ({
      mutants: `log-kinds-swapped/listLogs.*/${trigger}`,
      reason: 'Nothing in a log file shows its kind. A client sees only that a file changes from one kind to the other.',
    }),
  ),
  {
    mutants: 'item-lost/listPipelines.items/always',
    reason: 'The last pipeline belongs to another client and is in no list.',
  },
  {
    mutants: '*/listPipelines.blocks/*',
    reason: 'The specification does not show what the items of the list contain.',
    leaves: 'pipelines-list-shape',
  },
  {
    mutants: 'added-unasked/*.schedules/*',
    reason: 'The specification shows neither the key of the triggers nor what a pipeline contains without them.',
    leaves: 'schedules-key',
  },
  {
    mutants: 'mangles-absolute-number/updateBackfill.interval_units*/only-when-null-zero-false-or-empty',
    reason: 'Records may have null for units. The specification does not say what a server does with null in a request.',
    leaves: sentence('Update backfill', '`interval_units`'),
  },
  {
    mutants: 'refused-after-refusal/*/every-third-request',
    reason: 'Which request comes third changes with each run, so that the finding is flaky.',
  },
  {
    mutants: '*/createSession.*/only-with-the-token-in-a-cookie',
    reason: 'The specification does not say whether a signed-in user may create another session.',
    leaves: sentence('Authentication', 'obtained by creating a session'),
  },
  {
    mutants: '*/createSession.api-key/*',
    reason: '"Most endpoints" need an API key; the specification does not show whether this one does.',
    leaves: sentence('Summary', 'Create session'),
  },
  {
    mutants: '*Block.*stream_blocks/only-callbacks-conditionals-and-charts',
    reason: 'Such blocks have lists of their own, and need not be part of the graph.',
    leaves: 'callback-lists',
  },
  ...['callback', 'conditional', 'chart'].map(
    (type): Undetectable => ({
      mutants: `deletion-not-refused/deleteBlock.dependant-is-${type}/*`,
      reason: 'Such blocks have lists of their own, and need not be part of the graph.',
      leaves: 'callback-lists',
    }),
  ),
  {
    mutants: 'uuid-made-up/createPipeline.*/only-beyond-ascii',
    reason: 'The specification mentions only hyphens, and no letters beyond ASCII.',
    leaves: 'pipeline-uuid-rule',
  },
  ...['createPipeline', 'createBlock'].map(
    (operation): Undetectable => ({
      mutants: `mangles-composed/${operation}.name/always`,
      reason: 'A server may store all names in a normal form.',
      leaves: sentence('Create pipeline', 'Human readable name'),
    }),
  ),
  {
    mutants: 'empty-list-refused/listOauthAccessTokens.*',
    reason: 'Only a page past the end is empty, and no sentence says what it contains.',
    leaves: 'default-limit',
  },
  {
    mutants: 'filter-bound-exclusive/*',
    reason: 'No log file shows its timestamp.',
  },
  ...['always', 'from-the-second-request', 'only-when-forced'].map(
    (trigger): Undetectable => ({
      mutants: `deletion-cascades/deleteBlock.dependants/${trigger}`,
      reason: 'Only a forced deletion deletes a block with dependents, and the specification does not say what becomes of those.',
      leaves: 'force-effect',
    }),
  ),
  ...['initial', 'running', 'completed', 'failed', 'cancelled'].map(
    (status): Undetectable => ({
      mutants: `transition-lost/updateBackfill.${status}-to-${status}/always`,
      reason: 'A status that is set again is the same whether it is stored or not.',
    }),
  ),
  ...['members-cut-at-ten', 'dollar-keys-lost', 'empty-keys-lost', 'numeric-keys-lost', 'dotted-keys-lost', 'inherited-keys-lost', 'null-members-lost', 'nested-lost', 'members-as-text', 'floats-in-32-bits', 'integers-in-32-bits', 'keys-in-lower-case'].map(
    (change): Undetectable => ({
      mutants: `mangles-${change}/createBlock.configuration*/*`,
      reason: 'The properties of a configuration are listed, and all are strings in lower case: a server may refuse others.',
      leaves: sentence('Block', 'Block `configuration` properties'),
    }),
  ),
  {
    mutants: 'form-encoded-letter/deleteBackfill.*',
    reason: 'The path has letters only in its fixed part, and the ids of backfills have none.',
  },
] // biome-ignore format: one reason a line

const byName = undetectable.map((entry) => ({ entry, fits: createGlob(entry.mutants) }))

/** Finds the reason why a mutant may survive; `undefined` if `verify` must detect it. */
export function whyUndetectable(name: string): Undetectable | undefined {
  return byName.find(({ fits }) => fits(name))?.entry
}
