import { Clock3 } from 'lucide'
import type { JournalEntry } from '../../../src/engine/journal/journal-entry.ts'
import { Link } from '../frame/link.tsx'
import { Icon } from '../parts/icon.tsx'
import { spanOf } from '../store/words.ts'
import { type RecordDiff, readChanges } from './state-diff.ts'

const longest = 160

/** What a request changed, record by record, and what followed from that by the clock. */
export function Diff({ entry }: { readonly entry: JournalEntry }) {
  const records = readChanges(entry.changes)
  const { followed = [], omittedChanges = 0 } = entry
  if (records.length + omittedChanges + followed.length === 0) return null
  const [first] = records
  const isOne = records.length === 1
  return (
    <section>
      <div class="section-head">
        <h2>What it changed</h2>
        <span class="lesser">
          {isOne && first !== undefined
            ? `${first.plural} ${first.key}`
            : `${records.length || omittedChanges} records`}
        </span>
      </div>
      {records.map((record) => (
        <RecordChange
          key={`${record.plural}/${record.key}`}
          record={record}
          isNamed={!isOne || record.kind !== 'changed'}
        />
      ))}
      {omittedChanges > 0 && (
        <p class={records.length === 0 ? 'nothing' : 'lesser'}>
          {records.length === 0 ? 'They were too large to be kept.' : `and ${omittedChanges} records more`}
        </p>
      )}
      {followed.map(({ at, changes }) => (
        <p key={at} class="followed">
          <Icon of={Clock3} />
          <span>
            {spanOf(Math.max(1e3, Date.parse(at) - Date.parse(entry.at)))} later, by the clock:{' '}
            {inWords(readChanges(changes))}.
          </span>
        </p>
      ))}
      {entry.omittedFollowed !== undefined && (
        <p class="lesser">and {entry.omittedFollowed} times more, which are not kept</p>
      )}
    </section>
  )
}

/** Records by what became of them: `pipeline_runs 188 and 189 added`. */
function inWords(records: readonly RecordDiff[]): string {
  const groups = new Map<string, string[]>()
  for (const { plural, key, kind } of records) {
    const name = `${plural} ${kind}`
    groups.set(name, [...(groups.get(name) ?? []), key])
  }
  return [...groups]
    .map(([name, keys]) => {
      const [plural, kind] = name.split(' ')
      const shown = keys.length > 6 ? [...keys.slice(0, 5), `${keys.length - 5} more`] : keys
      return `${plural} ${shown.join(', ')} ${kind}`
    })
    .join('; ')
}

function RecordChange({ record, isNamed }: { readonly record: RecordDiff; readonly isNamed: boolean }) {
  const { plural, key, kind, attributes } = record
  return (
    <div class="diff">
      {isNamed && (
        <p class="diff-record">
          {kind === 'added' ? '+' : kind === 'removed' ? '−' : ''}{' '}
          <Link to={`records/${plural}/${encodeURIComponent(key)}`} as="link">
            {plural} {key}
          </Link>{' '}
          {kind === 'changed' ? '' : kind}
        </p>
      )}
      {attributes.length > 0 && (
        <table>
          <tbody>
            {attributes.map(({ name, old, next, hasOld }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  {hasOld && (
                    <>
                      <del>{shown(old)}</del> <span aria-hidden="true">⟶</span>{' '}
                    </>
                  )}
                  <ins>{shown(next)}</ins>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

/** A value as a person reads it: microseconds of a moment say nothing. */
function shown(value: unknown): string {
  const text =
    typeof value === 'string'
      ? value.replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\.\d{6}\+00:00$/, '$1')
      : (JSON.stringify(value) ?? 'absent')
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
