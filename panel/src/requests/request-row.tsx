import { MessageSquare } from 'lucide'
import type { JournalEntry } from '../../../src/engine/journal/journal-entry.ts'
import { Link } from '../frame/link.tsx'
import { Glyph } from '../parts/glyph.tsx'
import { Icon } from '../parts/icon.tsx'
import { usePanel } from '../store/panel.ts'
import { timeOf, tookOf } from '../store/words.ts'
import { shortOf } from '../wrong/words-of-faults.ts'

/** The status that counts, and the one that HTTP had. */
export function statusOf({ status }: Pick<JournalEntry, 'status'>): string {
  return status === 0 ? '—' : String(status)
}

/** The faults that struck a request, in amber: it is wrong on purpose. */
export function StruckBy({ ids }: { readonly ids: readonly string[] }) {
  const { live } = usePanel()
  const known = ids.map((id) => live.faults.value.find((fault) => fault.id === id))
  if (ids.length === 0) return null
  return (
    <span class="mark cue">
      <Glyph of="purpose" />
      {known.map((fault) => (fault === undefined ? 'a fault' : shortOf(fault))).join(', ')}
    </span>
  )
}

/** One request in the list. */
export function RequestRow({
  entry,
  to,
  isOpened,
}: {
  readonly entry: JournalEntry
  readonly to: string
  readonly isOpened: boolean
}) {
  const { status, httpStatus, operation, method, path, at, milliseconds, notes, faults } = entry
  return (
    <Link to={to} as="request-row" isCurrent={isOpened}>
      <span>
        <b class={status === 200 ? '' : 'fail'}>{statusOf(entry)}</b>
        <small class={httpStatus >= 400 ? 'fail' : ''}>
          {httpStatus === 0 ? 'no answer' : `HTTP ${httpStatus}`}
        </small>
      </span>
      <span class="request-what">
        <span class="request-operation">
          <span class="cut">{operation ?? 'unknown path'}</span>
          <StruckBy ids={faults} />
          {notes.length > 0 && (
            <span class="mark">
              <Icon of={MessageSquare} />
              {notes.length}
              <span class="hidden"> without effect</span>
            </span>
          )}
        </span>
        <small class="cut">
          {method} {path.replace(/^\/api/, '')}
        </small>
      </span>
      <span class="request-when">
        <small>{timeOf(Date.parse(at))}</small>
        <small>{tookOf(milliseconds + (entry.held ?? 0))}</small>
      </span>
    </Link>
  )
}
