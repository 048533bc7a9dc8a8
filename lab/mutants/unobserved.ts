import type { Statement } from '../../contract-tests/rules/document.ts'
import type { AssumptionId } from '../../src/assumptions/index.ts'
import { createGlob } from '../../src/shared/glob.ts'
import { sentence } from './mutant.ts'

/** Derived servers that the verifier rightly says nothing against, and why. */
export interface Unobserved {
  /** A glob of their names: `operator/operation.aspect/situation`. */
  readonly servers: string
  readonly why: 'unsteady by design' | 'not stated' | 'not observable'
  readonly reason: string
  /** What leaves it open: an assumption of ours, or what the document says instead of more. */
  readonly leaves?: AssumptionId | Statement
}

/** Each kind of servers that may survive; whatever else survives is a gap. */
export const unobserved: readonly Unobserved[] = [
  ...['always', 'from-the-second-request', 'from-the-fourth-request'].map(
    (situation): Unobserved => ({
      servers: `log-kinds-swapped/listLogs.*/${situation}`,
      why: 'not observable',
      reason: 'Nothing in a log file tells of which kind it is; only where it stands once here and once there is it seen.',
    }),
  ),
  {
    servers: 'item-lost/listPipelines.items/always',
    why: 'not observable',
    reason: 'The last is a pipeline of others, which is in no list: nothing tells that it is there.',
  },
  {
    servers: '*/listPipelines.blocks/*',
    why: 'not stated',
    reason: 'What the items of the list carry is not shown.',
    leaves: 'pipelines-list-shape',
  },
  {
    servers: 'added-unasked/*.schedules/*',
    why: 'not stated',
    reason: 'What a pipeline includes where nobody asks for its triggers is not said, nor under which key.',
    leaves: 'schedules-key',
  },
  {
    servers: 'mangles-absolute-number/updateBackfill.interval_units/only-when-null-zero-false-or-empty',
    why: 'not stated',
    reason: 'That units may be null is said of records and not of requests: what a server makes of null is its own.',
    leaves: sentence('Update backfill', '`interval_units`'),
  },
  {
    servers: '*/only-the-first-request',
    why: 'unsteady by design',
    reason:
      'It happens once in the life of a server. Told again it does not, so that it would be called unsteady, and whoever comes second never sees it.',
  },
  {
    servers: 'refused-after-refusal/*/every-third-request',
    why: 'unsteady by design',
    reason: 'Whether the third request of its life is one after a refusal changes with each telling; it is told as unsteady.',
  },
  {
    servers: 'same-id-while-overlapping/*/from-the-fourth-request',
    why: 'unsteady by design',
    reason: 'Each gets the id that the one before should have had, so that one pair alone shares an id: it happens once.',
  },
  {
    servers: '*/createSession.*/only-with-the-token-in-a-cookie',
    why: 'not stated',
    reason: 'Whether somebody who is signed in may open another session is not said, so nobody who is asks for one.',
    leaves: sentence('Authentication', 'obtained by creating a session'),
  },
  {
    servers: '*/createSession.api-key/*',
    why: 'not stated',
    reason: '"Most endpoints" need a key; whether the one does that opens sessions is not said, since it is not shown.',
    leaves: sentence('Summary', 'Create session'),
  },
  {
    servers: '*Block.*stream_blocks/only-callbacks-conditionals-and-charts',
    why: 'not stated',
    reason: 'Such blocks have lists of their own, and need be no part of the graph.',
    leaves: 'callback-lists',
  },
  {
    servers: 'uuid-made-up/createPipeline.*/only-beyond-ascii',
    why: 'not stated',
    reason: 'Which letters beyond ASCII a uuid is derived from is not said; only hyphens are spoken of.',
    leaves: 'pipeline-uuid-rule',
  },
] // biome-ignore format: one reason a line

const byName = unobserved.map((entry) => ({ entry, fits: createGlob(entry.servers) }))

/** Why nothing is said against a derived server; undefined where something should be. */
export function whyUnobserved(name: string): Unobserved | undefined {
  return byName.find(({ fits }) => fits(name))?.entry
}
