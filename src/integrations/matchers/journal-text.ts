import type { JournalChange, JournalEntry } from '../../engine/journal/journal-entry.ts'
import { isObject, textOf } from '../../shared/values.ts'
import { toLine } from './describe.ts'

/** Limits of the texts: requests of a journal, changes of a request, characters of a value. */
const most = { requests: 10, changes: 5, characters: 200 }

const noRequest =
  'The understudy has received no request. If the app sent one, see node_modules/pipeline-understudy/docs/troubleshooting.md.'

/** Describes the last requests of a journal after a failed test: logical status, error, changes and notes. */
export function describeJournal(entries: readonly JournalEntry[]): string {
  if (entries.length === 0) return noRequest
  const last = entries.slice(-most.requests)
  const which =
    last.length < entries.length ? `The last ${last.length} of ${entries.length} requests` : 'The requests'
  return [`${which} that the understudy has received:`, ...last.flatMap(toLines)].join('\n')
}

function toLines(entry: JournalEntry): string[] {
  const { body } = entry.reply
  const error = isObject(body) && isObject(body.error) ? body.error : undefined
  const left = entry.changes.length - most.changes
  return [
    `  ${toLine(entry)}`,
    ...(error ? [`    ${[error.type, error.message].map(textOf).filter(Boolean).join(': ')}`] : []),
    ...(entry.faults.length > 0 ? [`    fault applied: ${entry.faults.join(', ')}`] : []),
    ...entry.changes.slice(0, most.changes).map((change) => `    ${toChange(change)}`),
    ...(left > 0 ? [`    and ${left} more changes`] : []),
    ...(entry.omittedChanges === undefined
      ? []
      : [`    and changes in ${entry.omittedChanges} records, which are not stored`]),
    ...entry.notes.map((note) => `    ${note}`),
  ]
}

function toChange({ op, path, value, previous }: JournalChange): string {
  if (op === 'remove') return `- ${path}`
  if (op === 'add') return `+ ${path} ${shorten(value)}`
  return `${path}: ${shorten(previous)} -> ${shorten(value)}`
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= most.characters ? text : `${text.slice(0, most.characters)}…`
}
