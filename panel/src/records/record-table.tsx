import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { ResourceDescription } from '../../../src/factories/describe-resources.ts'
import { Glyph, markOf } from '../parts/glyph.tsx'
import { moveAmongRows } from '../requests/requests.tsx'
import { usePanel } from '../store/panel.ts'
import type { MeantRows } from '../store/use-rows.ts'
import { type RowWindow, rowHeight } from './row-window.ts'
import { Ruler } from './ruler.tsx'
import { nameRecord, shownValue } from './select.ts'

/** Where one has scrolled to, and how much is seen, in pixels. */
export interface ScrollView {
  readonly top: number
  readonly height: number
}

/** A table of any length: rows have one height, and those alone are drawn that are seen. */
export function RecordTable({
  description,
  meant,
  shown,
  view,
  setView,
  columns,
  opened,
  addressOf,
}: {
  readonly description: ResourceDescription
  /** Which records these are. */
  readonly meant: MeantRows
  readonly shown: RowWindow
  readonly view: ScrollView
  readonly setView: (view: ScrollView) => void
  readonly columns: readonly string[]
  readonly opened: string | undefined
  readonly addressOf: (key: string) => string
}) {
  const { routes } = usePanel()
  const place = useRef<HTMLDivElement>(null)
  const look = () => {
    const { scrollTop = 0, clientHeight = 800 } = place.current ?? {}
    setView({ top: scrollTop, height: clientHeight })
  }
  useLayoutEffect(look, [])
  useEffect(() => {
    const watch = new ResizeObserver(look)
    if (place.current !== null) watch.observe(place.current)
    return () => watch.disconnect()
  }, [])
  const { sort = '', order = 'up' } = routes.current.value.query
  const { count = 0, first, rows } = shown
  const last = first + rows.length
  const seen = Math.min(count, Math.floor(view.top / rowHeight) + 1)
  const until = Math.min(count, Math.floor((view.top + view.height) / rowHeight) - 1)
  // Another question begins at its first row.
  const question = JSON.stringify(meant)
  useEffect(() => {
    if (place.current !== null) place.current.scrollTop = 0
  }, [question])
  return (
    <>
      <div class="record-place">
        <div class="record-scroll" ref={place} onScroll={look}>
          <table class="record-table" aria-rowcount={count + 1} aria-busy={shown.isSearching}>
            <thead>
              <tr>
                {columns.map((name) => (
                  <th
                    key={name}
                    scope="col"
                    {...(sort === name && {
                      'aria-sort': order === 'up' ? ('ascending' as const) : ('descending' as const),
                    })}
                  >
                    <button
                      type="button"
                      onClick={() =>
                        routes.filter(
                          sort !== name
                            ? { sort: name, order: 'up' }
                            : order === 'up'
                              ? { sort: name, order: 'down' }
                              : { sort: '', order: '' },
                        )
                      }
                    >
                      {name}
                      {sort === name && <span aria-hidden="true">{order === 'up' ? ' ↑' : ' ↓'}</span>}
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody onKeyDown={moveAmongRows}>
              {first > 0 && <tr style={{ height: `${first * rowHeight}px` }} />}
              {rows.map((record, index) => {
                if (record === undefined) return <tr key={first + index} class="not-yet" />
                const { key } = nameRecord(description, record)
                const isOpened = key === opened
                const open = () => routes.go(addressOf(key))
                return (
                  <tr
                    key={key}
                    data-row
                    tabIndex={isOpened || (opened === undefined && first + index === seen - 1) ? 0 : -1}
                    aria-rowindex={first + index + 2}
                    aria-selected={isOpened}
                    onClick={open}
                    onKeyDown={(event) => {
                      if (event.key !== 'Enter' && event.key !== 'e') return
                      event.preventDefault()
                      open()
                    }}
                  >
                    {columns.map((name) => (
                      <td key={name} class={typeof record[name] === 'number' ? 'number' : ''}>
                        <Value name={name} value={record[name]} />
                      </td>
                    ))}
                  </tr>
                )
              })}
              {last < count && <tr style={{ height: `${(count - last) * rowHeight}px` }} />}
            </tbody>
          </table>
        </div>
        {(description.isOpen || 'status' in description.attributes) && (
          <Ruler
            plural={description.plural}
            rows={meant}
            count={count}
            top={view.top / rowHeight}
            seen={view.height / rowHeight}
            place={place}
          />
        )}
      </div>
      <p class="record-foot lesser">
        rows {seen.toLocaleString('en')} to {Math.max(seen, until).toLocaleString('en')} of{' '}
        {count.toLocaleString('en')}
        <span>{sort === '' ? 'newest first' : `by ${sort}`}</span>
      </p>
    </>
  )
}

/** A value in a cell: a status with its mark, a moment with its seconds lighter. */
function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (name === 'status' && typeof value === 'string') {
    return (
      <span class="cell-status">
        <Glyph of={markOf(value)} />
        {value}
      </span>
    )
  }
  const text = shownValue(value)
  const [, minutes, seconds] = /^(\d{4}-\d\d-\d\d \d\d:\d\d)(:\d\d)\.\d{6}\+00:00$/.exec(text) ?? []
  if (minutes !== undefined) {
    return (
      <>
        {minutes}
        <span class="quiet">{seconds}</span>
      </>
    )
  }
  return <span dir="auto">{text}</span>
}
