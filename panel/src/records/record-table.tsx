import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { ResourceDescription } from '../library.ts'
import { Glyph, markOf, moveAmongRows } from '../parts/index.ts'
import { usePanel } from '../store/panel.ts'
import type { AnyRecord } from '../store/table.ts'
import type { MeantRows } from '../store/use-query.ts'
import { type RowWindow, rowHeight, type ScrollView } from './row-window.ts'
import { Ruler } from './ruler.tsx'
import { nameRecord, shownValue } from './select.ts'

interface RecordTableProps {
  readonly description: ResourceDescription
  readonly meant: MeantRows
  readonly shown: RowWindow
  readonly view: ScrollView
  readonly setView: (view: ScrollView) => void
  readonly columns: readonly string[]
  readonly opened: string | undefined
  readonly addressOf: (key: string) => string
}

/** A table of any length: rows have one height, and those alone are drawn that are seen. */
export function RecordTable(props: RecordTableProps) {
  const { description, meant, shown, view, setView, columns, opened, addressOf } = props
  const { routes } = usePanel()
  const place = useRef<HTMLDivElement>(null)
  const measure = () => {
    const { scrollTop = 0, clientHeight = 800 } = place.current ?? {}
    setView({ top: scrollTop, height: clientHeight })
  }
  useLayoutEffect(measure, [])
  useEffect(() => {
    const observer = new ResizeObserver(measure)
    if (place.current !== null) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  // Another question begins at its first row.
  useEffect(() => place.current?.scrollTo({ top: 0 }), [JSON.stringify(meant)])
  const { count = 0, first, rows } = shown
  const last = first + rows.length
  const seen = Math.min(count, Math.floor(view.top / rowHeight) + 1)
  const until = Math.min(count, Math.floor((view.top + view.height) / rowHeight) - 1)
  const { sort = '' } = routes.current.value.query
  return (
    <>
      <div class="record-place">
        <div class="stretch scroll" ref={place} onScroll={measure}>
          <table class="record-table" aria-rowcount={count + 1} aria-busy={shown.isSearching}>
            <thead>
              <tr>
                {columns.map((name) => (
                  <ColumnHead key={name} name={name} />
                ))}
              </tr>
            </thead>
            <tbody onKeyDown={moveAmongRows}>
              {first > 0 && <tr style={{ height: `${first * rowHeight}px` }} />}
              {rows.map((record, index) => {
                if (record === undefined) return <tr key={first + index} class="not-yet" />
                const { key } = nameRecord(description, record)
                const isStop = key === opened || (opened === undefined && first + index === seen - 1)
                return (
                  <Row
                    key={key}
                    record={record}
                    columns={columns}
                    index={first + index + 2}
                    isStop={isStop}
                    isOpened={key === opened}
                    open={() => routes.go(addressOf(key))}
                  />
                )
              })}
              {last < count && <tr style={{ height: `${(count - last) * rowHeight}px` }} />}
            </tbody>
          </table>
        </div>
        {(description.isOpen || 'status' in description.attributes) && (
          <Ruler
            plural={description.plural}
            meant={meant}
            count={count}
            top={view.top / rowHeight}
            seen={view.height / rowHeight}
            goTo={(row) => place.current?.scrollTo({ top: row * rowHeight })}
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

/** The head of a column, which sorts by it: up, down, newest first. */
function ColumnHead({ name }: { readonly name: string }) {
  const { routes } = usePanel()
  const { sort, order = 'up' } = routes.current.value.query
  const isSorted = sort === name
  const next = !isSorted
    ? { sort: name, order: 'up' }
    : order === 'up'
      ? { order: 'down' }
      : { sort: '', order: '' }
  return (
    <th
      scope="col"
      {...(isSorted && { 'aria-sort': order === 'up' ? ('ascending' as const) : ('descending' as const) })}
    >
      <button type="button" onClick={() => routes.filter(next)}>
        {name}
        {isSorted && <span aria-hidden="true">{order === 'up' ? ' ↑' : ' ↓'}</span>}
      </button>
    </th>
  )
}

interface RowProps {
  readonly record: AnyRecord
  readonly columns: readonly string[]
  readonly index: number
  readonly isStop: boolean
  readonly isOpened: boolean
  readonly open: () => void
}

function Row({ record, columns, index, isStop, isOpened, open }: RowProps) {
  return (
    <tr
      data-row
      tabIndex={isStop ? 0 : -1}
      aria-rowindex={index}
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
}

/** A value in a cell: a status with its mark, a timestamp with its seconds lighter. */
function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (name === 'status' && typeof value === 'string') {
    return (
      <span class="row">
        <Glyph of={markOf(value)} />
        {value}
      </span>
    )
  }
  const text = shownValue(value)
  const [, minutes, seconds] = /^(\d{4}-\d\d-\d\d \d\d:\d\d)(:\d\d)\.\d{6}\+00:00$/.exec(text) ?? []
  if (minutes === undefined) return <span dir="auto">{text}</span>
  return (
    <>
      {minutes}
      <span class="quiet">{seconds}</span>
    </>
  )
}
