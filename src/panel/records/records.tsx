import { Plus, Search } from 'lucide'
import { useMemo } from 'preact/hooks'
import type { ResourceDescription } from '../../factories/describe-resources.ts'
import { Link } from '../frame/link.tsx'
import { Empty } from '../parts/empty.tsx'
import { Icon } from '../parts/icon.tsx'
import { usePanel } from '../store/panel.ts'
import { Drawer } from './drawer.tsx'
import { RecordTable } from './record-table.tsx'
import { columnsOf, compareValues, nameRecord, readFilter } from './select.ts'

/** The records of a resource, whichever it is: a table, and one of them beside it to be changed. */
export function Records() {
  const { live, routes } = usePanel()
  const [plural = ''] = routes.current.value.rest
  const stored = live.resources.value.filter(({ isStored }) => isStored)
  const description = stored.find((each) => each.plural === plural)
  if (description !== undefined) return <RecordsOf key={plural} description={description} />
  return (
    <div>
      <div class="head">
        <h1>Records</h1>
        {plural !== '' && <span class="lesser">There is no resource {plural}.</span>}
      </div>
      <ul class="rows">
        {stored.map((each) => (
          <li key={each.plural}>
            <div>
              <Link to={`records/${each.plural}`} as="link">
                {each.plural}
              </Link>
            </div>
            <span class="quiet">{live.counts.value[each.plural]?.toLocaleString('en')}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function RecordsOf({ description }: { readonly description: ResourceDescription }) {
  const { live, routes } = usePanel()
  const { plural } = description
  const { rest, query } = routes.current.value
  const records = live.table(plural).value
  const { filter = '', sort = '', order = 'up' } = query
  const fitting = useMemo(() => {
    const kept = (records ?? []).filter(readFilter(filter))
    if (sort === '') return kept.reverse()
    const sign = order === 'up' ? 1 : -1
    return kept.sort((one, other) => sign * compareValues(one[sort], other[sort]))
  }, [records, filter, sort, order])
  const columns = useMemo(() => columnsOf(description, records ?? []), [description, records])
  if (records === undefined) return <p class="nothing waiting">Looking at {plural} …</p>
  const opened = rest[1]
  const record =
    opened === undefined ? undefined : records.find((each) => nameRecord(description, each).key === opened)
  const isOpened = opened === 'new' || record !== undefined
  const search = new URLSearchParams(query).toString()
  const addressOf = (key: string) =>
    `records/${plural}${key === '' ? '' : `/${encodeURIComponent(key)}`}${search === '' ? '' : `?${search}`}`
  const Title = isOpened ? 'h2' : 'h1'
  return (
    <div class={`split records${isOpened ? ' opened' : ' shut'}`}>
      <section class="split-list" aria-label={plural}>
        <div class="head">
          <Title class="title records-title">{plural}</Title>
          <span class="lesser">
            {filter === '' ? records.length.toLocaleString('en') : `${fitting.length} of ${records.length}`}
          </span>
        </div>
        <div class="filters">
          <label class="filter">
            <Icon of={Search} />
            <span class="hidden">Filter the records</span>
            <input
              type="search"
              placeholder="status:failed  took:>1h  any text"
              value={filter}
              onInput={(event) => routes.filter({ filter: event.currentTarget.value })}
            />
            <kbd>/</kbd>
          </label>
          <Link to={addressOf('new')} as="button primary">
            <Icon of={Plus} /> New
          </Link>
        </div>
        {records.length === 0 ? (
          <Empty title="No record is here yet.">
            <p>Make one with New, or let your application create it.</p>
          </Empty>
        ) : fitting.length === 0 ? (
          <p class="nothing">
            None of {records.length} {plural} has {filter}.
          </p>
        ) : (
          <RecordTable
            description={description}
            records={fitting}
            columns={columns}
            opened={opened}
            addressOf={addressOf}
          />
        )}
      </section>
      {isOpened && (
        <Drawer
          key={opened}
          description={description}
          record={record}
          close={() => routes.go(addressOf(''))}
          made={(key) => routes.go(addressOf(key))}
        />
      )}
    </div>
  )
}
