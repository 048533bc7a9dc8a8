import { useEffect, useRef } from 'preact/hooks'
import type { ResourceDescription } from '../library.ts'
import { Glyph, markOf, moveFocus } from '../parts/index.ts'
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
  const figure = (value: number) => value.toLocaleString('en')
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
            <tbody onKeyDown={moveFocus}>
              <Space rows={first} />
              {rows.map((record, index) => {
                if (record === undefined) return <Space key={first + index} rows={1} />
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
              <Space rows={count - last} />
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
      <p class="row wide lesser record-foot">
        <span>
          rows {figure(seen)} to {figure(Math.max(seen, until))} of {figure(count)}
        </span>
        <span>{sort === '' ? 'newest first' : `by ${sort}`}</span>
      </p>
    </>
  )
}

function Space({ rows }: { readonly rows: number }) {
  return rows > 0 ? <tr style={{ height: `${rows * rowHeight}px` }} /> : null
}

/** The head of a column: a press sorts by it, the next one the other way, the third as before. */
function ColumnHead({ name }: { readonly name: string }) {
  const { routes } = usePanel()
  const { sort = '', order = 'up' } = routes.current.value.query
  const isSorted = sort === name
  const isUp = order === 'up'
  const next = isSorted && !isUp ? { sort: '', order: '' } : { sort: name, order: isSorted ? 'down' : 'up' }
  return (
    <th scope="col" aria-sort={isSorted ? (isUp ? 'ascending' : 'descending') : undefined}>
      <button type="button" onClick={() => routes.filter(next)}>
        {name}
        {isSorted && <span aria-hidden="true">{isUp ? ' ↑' : ' ↓'}</span>}
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
  const text = shownValue(value)
  if (name === 'status' && text !== '') {
    return (
      <span class="row">
        <Glyph of={markOf(value)} />
        {text}
      </span>
    )
  }
  const [, minutes, seconds] = /^(\d{4}-\d\d-\d\d \d\d:\d\d)(:\d\d)\.\d{6}\+00:00$/.exec(text) ?? []
  return (
    <span dir="auto">
      {minutes ?? text}
      <span class="quiet">{seconds}</span>
    </span>
  )
}
