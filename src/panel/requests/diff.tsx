import type { JournalEntry } from '../../engine/journal/journal-entry.ts'
import { Link } from '../frame/link.tsx'
import { readChanges } from './state-diff.ts'

const longest = 160

/** What a request changed: record by record, attribute by attribute. */
export function Diff({ entry }: { readonly entry: JournalEntry }) {
  const records = readChanges(entry.changes)
  if (records.length === 0) return null
  const [first] = records
  const isOne = records.length === 1
  return (
    <section>
      <div class="section-head">
        <h2>What it changed</h2>
        <span class="lesser">
          {isOne && first !== undefined ? `${first.plural} ${first.key}` : `${records.length} records`}
        </span>
      </div>
      {records.map(({ plural, key, kind, attributes }) => (
        <div key={`${plural}/${key}`} class="diff">
          {(!isOne || kind !== 'changed') && (
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
      ))}
      {entry.omittedChanges !== undefined && <p class="lesser">and {entry.omittedChanges} records more</p>}
    </section>
  )
}

/** A value as a person reads it: microseconds of a moment say nothing. */
function shown(value: unknown): string {
  const text =
    typeof value === 'string'
      ? value.replace(/^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\.\d{6}\+00:00$/, '$1')
      : JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
