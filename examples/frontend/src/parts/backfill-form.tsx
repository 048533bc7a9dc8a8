import { useQuery } from '@tanstack/react-query'
import type { ListedBackfill } from 'pipeline-understudy/api'
import type { FormEvent } from 'react'
import { useCreateBackfill, useUpdateBackfill } from '../api/mutations'
import { pipelines } from '../api/queries'
import { parseTimestamp, toWire } from '../times'
import { Dialog, Field } from './dialog'

const intervals = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const

/** The form of a backfill, new or known. */
export function BackfillForm({
  backfill,
  onClose,
}: {
  backfill: ListedBackfill | 'new'
  onClose: () => void
}) {
  const create = useCreateBackfill()
  const update = useUpdateBackfill()
  const known = backfill === 'new' ? undefined : backfill
  const names = useQuery({ ...pipelines(), enabled: known === undefined })
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const written = read(new FormData(event.currentTarget))
    if (known) update.mutate({ ...known, changes: written.changes })
    else create.mutate({ ...written.changes, pipelineUuid: written.pipelineUuid })
    onClose()
  }
  return (
    <Dialog title={known ? `Edit “${known.name}”` : 'New backfill'} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <Field label="Name">
          <input name="name" required autoComplete="off" defaultValue={known?.name} />
        </Field>
        {!known && (
          <Field label="Pipeline">
            <select name="pipeline" required>
              {names.data?.map(({ uuid, name }) => (
                <option key={uuid} value={uuid}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        )}
        <div className="pair">
          <Field label="From" hint="UTC">
            <input name="start" type="datetime-local" defaultValue={toInput(known?.start_datetime)} />
          </Field>
          <Field label="To" hint="UTC">
            <input name="end" type="datetime-local" defaultValue={toInput(known?.end_datetime)} />
          </Field>
        </div>
        <div className="pair">
          <Field label="A run for each">
            <input name="units" type="number" min="1" defaultValue={known?.interval_units ?? 1} />
          </Field>
          <Field label="Unit">
            <select name="interval" defaultValue={known?.interval_type ?? 'day'}>
              {intervals.map((interval) => (
                <option key={interval}>{interval}</option>
              ))}
            </select>
          </Field>
        </div>
        <div className="actions">
          <button type="submit" className="button button-main">
            {known ? 'Save' : 'Create'}
          </button>
          <button type="button" className="button" onClick={onClose}>
            Never mind
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function toInput(time: string | null | undefined): string | undefined {
  return time ? parseTimestamp(time).toISOString().slice(0, 16) : undefined
}

function read(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? '')
  const dates = (['start', 'end'] as const).flatMap((name) =>
    text(name) === '' ? [] : [[`${name}_datetime`, toWire(new Date(`${text(name)}Z`))]],
  )
  return {
    pipelineUuid: text('pipeline'),
    changes: {
      name: text('name'),
      ...(Object.fromEntries(dates) as { start_datetime?: string; end_datetime?: string }),
      interval_type: text('interval') as (typeof intervals)[number],
      interval_units: Number(text('units')),
    },
  }
}
