import { Clock3 } from 'lucide'
import type { JournalEntry } from '../library.ts'
import { Icon, Link, Section } from '../parts/index.ts'
import { shownValue } from '../records/select.ts'
import { groupBy, spanOf } from '../store/words.ts'
import { type RecordChange, readChanges } from './record-changes.ts'

const longest = 160

/** The changes of a request, record by record, and the later ones that the clock caused. */
export function Diff({ entry }: { readonly entry: JournalEntry }) {
  const records = readChanges(entry.changes)
  const { followed = [], omittedChanges = 0 } = entry
  if (records.length + omittedChanges + followed.length === 0) return null
  const only = records.length === 1 ? records[0] : undefined
  const note =
    only === undefined ? `${records.length || omittedChanges} records` : `${only.plural} ${only.key}`
  return (
    <Section title="Changes" note={note}>
      {records.map((record) => (
        <RecordDiff
          key={`${record.plural}/${record.key}`}
          record={record}
          isNamed={only === undefined || record.kind !== 'changed'}
        />
      ))}
      {omittedChanges > 0 && (
        <p class={records.length === 0 ? 'nothing' : 'lesser'}>
          {records.length === 0 ? 'Too large to store.' : `and ${omittedChanges} records more`}
        </p>
      )}
      {followed.map(({ at, changes }) => (
        <p key={at} class="row top">
          <Icon of={Clock3} />
          <span>
            {spanOf(Math.max(1e3, Date.parse(at) - Date.parse(entry.at)))} later, by scheduled events:{' '}
            {wordsOf(readChanges(changes))}.
          </span>
        </p>
      ))}
      {entry.omittedFollowed !== undefined && (
        <p class="lesser">and {entry.omittedFollowed} later events that are not stored</p>
      )}
    </Section>
  )
}

/** Records by the kind of change: `pipeline_runs 188 and 189 added`. */
function wordsOf(records: readonly RecordChange[]): string {
  const groups = groupBy(records, ({ plural, kind }) => `${plural} ${kind}`)
  const words = [...groups].map(([name, group]) => {
    const [plural, kind] = name.split(' ')
    const keys = group.map(({ key }) => key)
    const shown = keys.length > 6 ? [...keys.slice(0, 5), `${keys.length - 5} more`] : keys
    return `${plural} ${shown.join(', ')} ${kind}`
  })
  return words.join('; ')
}

interface RecordDiffProps {
  readonly record: RecordChange
  readonly isNamed: boolean
}

export function RecordDiff({ record: { plural, key, kind, attributes }, isNamed }: RecordDiffProps) {
  return (
    <div class="diff">
      {isNamed && (
        <p class="diff-record">
          {{ added: '+', removed: '−', changed: '' }[kind]}{' '}
          <Link to={`records/${plural}/${encodeURIComponent(key)}`} as="link">
            {plural} {key}
          </Link>{' '}
          {kind === 'changed' ? '' : kind}
        </p>
      )}
      {attributes.length > 0 && (
        <table>
          <tbody>
            {attributes.map(({ name, old, next }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>
                  {old !== undefined && (
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

function shown(value: unknown): string {
  const text = value === null ? 'null' : value === undefined ? 'absent' : shownValue(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
