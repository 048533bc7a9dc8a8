import type { Section } from '../shared/sections.ts'
import { toWords } from '../shared/words.ts'
import { notes as backfills } from './backfill/notes.ts'
import { notes as blocks } from './block/notes.ts'
import { notes as logs } from './log/notes.ts'
import { notes as oauthAccessTokens } from './oauth-access-token/notes.ts'
import { notes as pipelines } from './pipeline/notes.ts'
import { notes as pipelineRuns } from './pipeline-run/notes.ts'
import { notes as pipelineSchedules } from './pipeline-schedule/notes.ts'
import type { Plural } from './records.ts'
import type { Operation, Resource } from './resource.ts'
import type { CommonParameter, Note, NotesOf, ResourceNotes } from './resource-notes.ts'
import { notes as sessions } from './session/notes.ts'
import { notes as users } from './user/notes.ts'

/** The notes on each resource. They are separate from the table, because mocked pages do not need them. */
const notes: Readonly<Record<string, ResourceNotes>> = {
  backfills,
  blocks,
  logs,
  oauth_access_tokens: oauthAccessTokens,
  pipelines,
  pipeline_runs: pipelineRuns,
  pipeline_schedules: pipelineSchedules,
  sessions,
  users,
} satisfies { readonly [P in Plural]: NotesOf<P> }

/** Notes on the query parameters of all lists. */
export const commonParameters: NonNullable<ResourceNotes['parameters']> = {
  _limit: ['Maximum number of items returned.', 20],
  _offset: ['Number of items skipped before the first.', 0],
} satisfies Readonly<Record<CommonParameter, Note>>

/** Returns the notes on a resource; for a resource that a fixture added, only its name. */
export function notesOn({ plural }: { readonly plural: string }): ResourceNotes {
  const title = toWords(`${plural.charAt(0).toUpperCase()}${plural.slice(1)}`)
  return notes[plural] ?? { title, description: 'Added by a fixture.', attributes: {} }
}

/** Returns the heading of the specification that describes an operation, or the conventions that it follows. */
export function sectionOf({ section = 'What the service does' }: Pick<Operation, 'section'>): Section {
  return section
}

/** Returns the title of an operation. */
export function titleOf(
  resource: Pick<Resource, 'singular' | 'plural'>,
  { id, action }: Pick<Operation, 'id' | 'action'>,
): string {
  const verb = action === 'detail' ? 'read' : action
  const noun = action === 'list' ? resource.plural : resource.singular
  return notesOn(resource).operations?.[id] ?? `${verb} ${noun}`
}
