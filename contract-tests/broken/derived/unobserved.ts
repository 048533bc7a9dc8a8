import type { AssumptionId } from '../../../src/assumptions/index.ts'
import { matchesGlob } from '../../judge/glob.ts'
import type { Statement } from '../../rules/document.ts'
import { sentence } from './mutant.ts'

/** Derived servers that the judge rightly says nothing against, and why. */
export interface Unobserved {
  /** A glob of their names: `operator/operation.aspect/situation`. */
  readonly servers: string
  readonly why: 'unsteady by design' | 'not stated'
  readonly reason: string
  /** What leaves it open: an assumption of ours, or what the document says instead of more. */
  readonly leaves?: AssumptionId | Statement
}

/** Each kind of servers that may survive; whatever else survives is a gap. */
export const unobserved: readonly Unobserved[] = [
  {
    servers: '*/only-the-first-request',
    why: 'unsteady by design',
    reason:
      'It happens once in the life of a server. Told again it does not, so that it would be called unsteady, and whoever comes second never sees it.',
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

/** Why nothing is said against a derived server; undefined where something should be. */
export function whyUnobserved(name: string): Unobserved | undefined {
  return unobserved.find(({ servers }) => matchesGlob(name, servers))
}
