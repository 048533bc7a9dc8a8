import { Plus } from 'lucide'
import { RecordLinks } from '../frame/nav.tsx'
import type { ResourceDescription } from '../library.ts'
import { CloseButton, Empty, FilterField, Icon, Link, Nothing, useGrowing } from '../parts/index.ts'
import { usePanel } from '../store/panel.ts'
import { useCount, useDebounced, usePage } from '../store/use-query.ts'
import { countOfAll } from '../store/words.ts'
import { Drawer, type DrawerProps } from './drawer.tsx'
import { mostRows, RecordTable } from './record-table.tsx'
import { columnsOf, whereOfKey } from './select.ts'

/** The records of any resource: a table, and beside it a form for one record. */
export function Records() {
  const { live, routes } = usePanel()
  const [plural = ''] = routes.current.value.rest
  const stored = live.resources.value.filter(({ isStored }) => isStored)
  const description = stored.find((each) => each.plural === plural)
  if (description !== undefined) return <RecordsOf key={plural} description={description} />
  return (
    <div>
      <div class="row wrap head">
        <h1 class="title">Records</h1>
        {plural !== '' && <span class="lesser">There is no resource {plural}.</span>}
      </div>
      <RecordLinks />
    </div>
  )
}

function RecordsOf({ description }: { readonly description: ResourceDescription }) {
  const { routes } = usePanel()
  const { plural } = description
  const { rest, query } = routes.current.value
  const { filter = '', sort = '', order = 'up' } = query
  const search = useDebounced(filter)
  const [length, end] = useGrowing()
  const page = usePage(plural, {
    ...(search !== '' && { search }),
    ...(sort === '' ? { reverse: true } : { orderBy: { [sort]: order === 'up' ? 'asc' : 'desc' } }),
    limit: Math.min(length, mostRows),
  })
  const total = useCount(plural) ?? 0
  const opened = rest[1]
  const isOpened = opened !== undefined
  const addressOf = (key: string) => routes.filtered(`records/${plural}/${encodeURIComponent(key)}`)
  if (page === undefined) return <Nothing>Loading {plural} …</Nothing>
  const Title = isOpened ? 'h2' : 'h1'
  return (
    <div class={`split records ${isOpened ? 'opened' : ''}`}>
      <section class="column split-list" aria-label={plural}>
        <div class="row wrap head">
          <Title class="title">{plural}</Title>
          <span class="lesser" role="status">
            {countOfAll(page.count, filter === '' ? page.count : total)},{' '}
            {sort === '' ? 'newest first' : `by ${sort}`}
          </span>
        </div>
        <div class="row wrap filters">
          <FilterField
            label="Filter the records"
            placeholder="status:failed  took:>1h  any text"
            maxLength={500}
            value={filter}
            write={(text) => routes.filter({ filter: text })}
          />
          <Link to={addressOf('new')} as="button primary">
            <Icon of={Plus} /> New
          </Link>
        </div>
        {page.count > 0 ? (
          <RecordTable
            description={description}
            page={page}
            end={end}
            columns={columnsOf(description, page.records)}
            opened={opened}
            addressOf={addressOf}
          />
        ) : filter === '' ? (
          <Empty title="No records yet.">
            <p>Create one with New, or from your application.</p>
          </Empty>
        ) : (
          <Nothing>
            None of {total.toLocaleString('en')} {plural} matches {filter}.
          </Nothing>
        )}
      </section>
      {isOpened && (
        <OpenedDrawer
          key={opened}
          description={description}
          opened={opened}
          close={() => routes.go(routes.filtered(`records/${plural}`))}
          made={(key) => routes.go(addressOf(key))}
        />
      )}
    </div>
  )
}

interface OpenedDrawerProps extends Pick<DrawerProps, 'description' | 'close' | 'made'> {
  readonly opened: string
}

function OpenedDrawer({ opened, ...props }: OpenedDrawerProps) {
  const { description } = props
  const { plural } = description
  const isNew = opened === 'new'
  const page = usePage(plural, isNew ? { limit: 0 } : { where: whereOfKey(description, opened), limit: 1 })
  const record = page?.records[0]
  if (isNew || record !== undefined) return <Drawer {...props} record={record} />
  return (
    <section class="column drawer" aria-label={`${plural} ${opened}`}>
      <header class="row">
        <h1>
          {plural} {opened}
        </h1>
        <CloseButton close={props.close} />
      </header>
      <div class="stack drawer-fields">
        <Nothing>{page === undefined ? 'Loading …' : 'This record does not exist or was deleted.'}</Nothing>
      </div>
    </section>
  )
}
