import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ListedBackfill } from 'pipeline-understudy/api'
import { useState } from 'react'
import { useDeleteBackfill, useUpdateBackfill } from '../api/mutations'
import { backfills } from '../api/queries'
import { BackfillForm } from '../parts/backfill-form'
import { Dialog } from '../parts/dialog'
import { Loaded } from '../parts/nothing'
import { Status } from '../parts/status'
import { formatTime } from '../times'

const route = getRouteApi('/inside/backfills')

type Opened = { readonly form: ListedBackfill | 'new' } | { readonly toDelete: ListedBackfill }

export function Backfills() {
  const { page = 1 } = route.useSearch()
  const query = useQuery(backfills(page))
  const remove = useDeleteBackfill()
  const [opened, setOpened] = useState<Opened>()
  const close = () => setOpened(undefined)
  return (
    <>
      <div className="heading">
        <h1>Backfills</h1>
        <button type="button" className="button button-main" onClick={() => setOpened({ form: 'new' })}>
          New backfill
        </button>
      </div>
      <Loaded query={query}>
        {({ backfills, metadata }) => (
          <>
            {backfills.length === 0 ? (
              <p className="lead">
                {page === 1 ? 'Nothing has been filled in yet.' : 'Nothing is on this page.'}
              </p>
            ) : (
              <ul className="rows panel" aria-label="Backfills" aria-busy={query.isPlaceholderData}>
                {backfills.map((backfill) => (
                  <Row key={backfill.id} backfill={backfill} onOpen={setOpened} />
                ))}
              </ul>
            )}
            {(page > 1 || metadata.next) && (
              <nav className="pages" aria-label="Pages">
                {page > 1 && (
                  <Link to="/backfills" search={page > 2 ? { page: page - 1 } : {}} className="button">
                    Previous
                  </Link>
                )}
                <span>Page {page}</span>
                {metadata.next && (
                  <Link to="/backfills" search={{ page: page + 1 }} className="button">
                    Next
                  </Link>
                )}
              </nav>
            )}
          </>
        )}
      </Loaded>
      {opened && 'form' in opened && <BackfillForm backfill={opened.form} onClose={close} />}
      {opened && 'toDelete' in opened && (
        <Dialog title={`Delete “${opened.toDelete.name}”?`} onClose={close}>
          <p>The runs that it started stay.</p>
          <div className="actions">
            <button
              type="button"
              className="button button-main"
              onClick={() => {
                remove.mutate(opened.toDelete)
                close()
              }}
            >
              Delete
            </button>
            <button type="button" className="button" onClick={close}>
              Keep it
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

function Row({ backfill, onOpen }: { backfill: ListedBackfill; onOpen: (opened: Opened) => void }) {
  const { name, pipeline_uuid, status, total_run_count } = backfill
  const update = useUpdateBackfill()
  const set = (status: 'initial' | 'cancelled') => update.mutate({ ...backfill, changes: { status } })
  return (
    <li className="row row-backfill">
      <div className="row-name">
        <strong>{name}</strong>
        <p>
          <Link to="/pipelines/$uuid" params={{ uuid: pipeline_uuid }}>
            {pipeline_uuid}
          </Link>
          , {formatSpan(backfill)}
        </p>
      </div>
      <div className="row-status">
        <Status status={status ?? 'not started'} />
        {total_run_count !== undefined && (
          <p>{total_run_count === 1 ? '1 run' : `${total_run_count} runs`}</p>
        )}
      </div>
      <div className="actions">
        {status === 'initial' || status === 'running' ? (
          <button
            type="button"
            className="button"
            aria-label={`Cancel ${name}`}
            onClick={() => set('cancelled')}
          >
            Cancel
          </button>
        ) : (
          <button
            type="button"
            className="button"
            aria-label={`Start ${name}`}
            onClick={() => set('initial')}
          >
            Start
          </button>
        )}
        <button
          type="button"
          className="button"
          aria-label={`Edit ${name}`}
          onClick={() => onOpen({ form: backfill })}
        >
          Edit
        </button>
        <button
          type="button"
          className="button"
          aria-label={`Delete ${name}`}
          onClick={() => onOpen({ toDelete: backfill })}
        >
          Delete
        </button>
      </div>
    </li>
  )
}

function formatSpan({ start_datetime, end_datetime, interval_type, interval_units }: ListedBackfill): string {
  if (!start_datetime || !end_datetime) return 'no dates yet'
  const units = interval_units === 1 ? interval_type : `${interval_units} ${interval_type}s`
  const every = interval_type ? `, every ${units}` : ''
  return `${formatTime(start_datetime)} to ${formatTime(end_datetime)}${every}`
}
