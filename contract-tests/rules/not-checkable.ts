import type { Section } from './sections.ts'

/** A statement of the specification that no rule checks, with the reason. */
export interface NotCheckable {
  readonly section: Section
  readonly statement: string
  readonly reason: string
}

/** The statements that a client cannot observe, or not without harm. */
export const notCheckable: readonly NotCheckable[] = [
  {
    section: 'What the service does',
    statement: 'The user interface uses the same API.',
    reason: 'No request shows it.',
  },
  {
    section: 'What the service does',
    statement: 'Update, delete and detail of every resource by the generic layout.',
    reason: 'The section Endpoints lists the operations. The layout alone promises none of them.',
  },
  {
    section: 'What the service does',
    statement: 'Each endpoint is made of a resource, a policy and a presenter.',
    reason: 'A matter of construction.',
  },
  {
    section: 'Session',
    statement: 'A session is created to obtain a token; its payload has token.',
    reason: 'Checked under Authentication, which contains the same statement.',
  },
  {
    section: 'Endpoints',
    statement: 'All request bodies are JSON.',
    reason: 'It describes what clients send. The reply to another body is not shown.',
  },
  {
    section: 'Summary',
    statement: 'The fourteen operations with method and path.',
    reason: 'Each is checked in its own section.',
  },
  { section: 'Summary', statement: 'Other operations: not shown.', reason: 'Nothing is promised.' },
  {
    section: 'Create pipeline',
    statement: 'A clone source and conditionals can be sent.',
    reason: 'The names of both fields are not shown.',
  },
  {
    section: 'Create block',
    statement: 'color is shown for custom blocks; other types have predefined colors.',
    reason: 'A matter of the user interface; the reply of create has no color.',
  },
  {
    section: 'Create block',
    statement: 'extension_uuid names a data-quality extension.',
    reason: 'Neither the reply nor the read block shows it.',
  },
  {
    section: 'Block',
    statement: 'Meaning of the configuration properties.',
    reason: 'They take effect when a block runs, which this API does not show.',
  },
  {
    section: 'Backfill',
    statement: 'Any global variable may be overridden.',
    reason: 'Takes effect in a run.',
  },
  { section: 'Pipeline schedule', statement: 'settings may contain two booleans.', reason: 'May, not must.' },
  {
    section: 'States and transitions',
    statement: 'Transitions other than those listed: not shown.',
    reason: 'Nothing is promised.',
  },
  {
    section: 'Authentication',
    statement: 'Authorization with a bearer-style credential.',
    reason: 'Its relation to the OAuth token is not shown.',
  },
  { section: 'Events', statement: 'Events: not shown.', reason: 'Nothing is promised.' },
  {
    section: 'Limits',
    statement: 'Default and maximum _limit, rate limits, sizes, token lifetime: not shown.',
    reason: 'Nothing is promised.',
  },
  { section: 'Versioning', statement: 'Versioning: not shown.', reason: 'Nothing is promised.' },
]
