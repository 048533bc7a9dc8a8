import { useEffect, useRef } from 'preact/hooks'
import type { PagedRecords, ResourceDescription } from '../library.ts'
import { Glyph, markOf, moveFocus, Nothing } from '../parts/index.ts'
import { usePanel } from '../store/panel.ts'
import type { AnyRecord } from '../store/table.ts'
import { nameRecord, shownValue } from './select.ts'

/** The admin API returns at most this many records at once. */
export const mostRows = 1_000

interface RecordTableProps {
  readonly description: ResourceDescription
  readonly page: PagedRecords<AnyRecord>
  /** The `ref` of the end of the table, which reads more rows when it becomes visible. */
  readonly end: (element: HTMLElement | null) => void
  readonly columns: readonly string[]
  readonly opened: string | undefined
  readonly addressOf: (key: string) => string
}

export function RecordTable({ description, page, end, columns, opened, addressOf }: RecordTableProps) {
  const { routes } = usePanel()
  const { records, count } = page
  const { sort = '', order = '', filter = '' } = routes.current.value.query
  const place = useRef<HTMLDivElement>(null)
  // Another filter or order begins at the first row.
  useEffect(() => place.current?.scrollTo({ top: 0 }), [sort, order, filter])
  return (
    <div class="stretch scroll" ref={place}>
      <table class="record-table">
        <thead>
          <tr>
            {columns.map((name) => (
              <ColumnHead key={name} name={name} />
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={moveFocus}>
          {records.map((record, index) => {
            const { key } = nameRecord(description, record)
            return (
              <Row
                key={key}
                record={record}
                columns={columns}
                isStop={opened === undefined ? index === 0 : key === opened}
                isOpened={key === opened}
                open={() => routes.go(addressOf(key))}
              />
            )
          })}
          {records.length < Math.min(count, mostRows) && (
            <tr key={`end ${records.length}`} ref={end}>
              <td>…</td>
            </tr>
          )}
        </tbody>
      </table>
      {count > mostRows && <Nothing>Filter or sort to see others than {mostRows} of these.</Nothing>}
    </div>
  )
}

/** The head of a column: a click sorts by it, the second in reverse, the third restores the order. */
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
  readonly isStop: boolean
  readonly isOpened: boolean
  readonly open: () => void
}

function Row({ record, columns, isStop, isOpened, open }: RowProps) {
  return (
    <tr
      data-row
      tabIndex={isStop ? 0 : -1}
      aria-selected={isOpened}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'e') return
        event.preventDefault()
        open()
      }}
    >
      {columns.map((name) => {
        const value = record[name]
        const text = shownValue(value)
        return (
          <td key={name} class={typeof value === 'number' ? 'number' : ''}>
            <span class={name === 'status' ? 'row' : ''} dir="auto">
              {name === 'status' && text !== '' && <Glyph of={markOf(value)} />}
              {text}
            </span>
          </td>
        )
      })}
    </tr>
  )
}
