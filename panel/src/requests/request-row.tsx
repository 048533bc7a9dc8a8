import { MessageSquare } from 'lucide'
import { shortOf } from '../faults/fault-words.ts'
import type { JournalEntry } from '../library.ts'
import { Glyph, Icon, Link } from '../parts/index.ts'
import { searchOf } from '../store/journal-text.ts'
import { usePanel } from '../store/panel.ts'
import { countOf, durationWords, nounFor, timeOf } from '../store/words.ts'

export function HiddenErrors() {
  const { live } = usePanel()
  const errors = live.hiddenErrors.value
  if (errors === 0) return null
  return (
    <b class="mark fail" title={`${countOf(errors, 'error')} under HTTP 200`}>
      <Glyph of="failed" />
      {errors}
      <span class="hidden"> {nounFor(errors, 'error')} under HTTP 200</span>
    </b>
  )
}

export function Status({ of }: { readonly of: JournalEntry }) {
  return (
    <>
      <b class={of.status === 200 ? '' : 'fail'}>{of.status || '—'}</b>
      <small class={of.httpStatus >= 400 ? 'block fail' : 'block'}>
        {of.httpStatus === 0 ? 'no answer' : `HTTP ${of.httpStatus}`}
      </small>
    </>
  )
}

export function FaultNames({ ids }: { readonly ids: readonly string[] }) {
  const { live } = usePanel()
  if (ids.length === 0) return null
  const names = ids.map((id) => {
    const fault = live.faults.value.find((each) => each.id === id)
    return fault === undefined ? 'a fault' : shortOf(fault)
  })
  return (
    <span class="mark cue">
      <Glyph of="fault" />
      {names.join(', ')}
    </span>
  )
}

interface RequestRowProps {
  readonly entry: JournalEntry
  readonly to: string
  readonly isOpened?: boolean
  readonly isStop?: boolean
}

export function RequestRow({ entry, to, isOpened = false, isStop = true }: RequestRowProps) {
  const { operation, method, path, at, milliseconds, held, notes, faults } = entry
  return (
    <Link to={to} as="request-row" isCurrent={isOpened} isStop={isStop}>
      <span>
        <Status of={entry} />
      </span>
      <span class="stretch">
        <span class="row">
          <span class="cut">{operation ?? 'unknown path'}</span>
          <FaultNames ids={faults} />
          {notes.length > 0 && (
            <span class="mark">
              <Icon of={MessageSquare} />
              {notes.length}
              <span class="hidden"> without effect</span>
            </span>
          )}
        </span>
        <small class="block count cut">
          {method} {path.replace(/^\/api/, '') + searchOf(entry)}
        </small>
      </span>
      <span class="right">
        <small class="block count">{timeOf(Date.parse(at))}</small>
        <small class="block count">{durationWords(milliseconds + (held ?? 0))}</small>
      </span>
    </Link>
  )
}
