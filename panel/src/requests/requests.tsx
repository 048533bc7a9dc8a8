import { useState } from 'preact/hooks'
import type { JournalEntry } from '../library.ts'
import {
  ActButton,
  Button,
  Empty,
  FilterField,
  Growing,
  moveFocus,
  Nothing,
  saveFile,
  Toggles,
} from '../parts/index.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { useRequests } from '../store/use-query.ts'
import { ClientIssues } from './client-issues.tsx'
import { OneRequest } from './one-request.tsx'
import { RequestRow } from './request-row.tsx'
import { StateChanges } from './state-changes.tsx'

const filters = {
  errors: ({ status }: JournalEntry) => status !== 200,
  notes: ({ notes }: JournalEntry) => notes.length > 0,
  faults: ({ faults }: JournalEntry) => faults.length > 0,
}

export function Requests() {
  const { live, runner, routes, origin } = usePanel()
  const { rest, query } = routes.current.value
  const all = live.requests.value
  const opened = all.find(({ sequence }) => String(sequence) === rest[0])
  // An opened request has the main heading: a narrow page shows nothing else.
  const Title = opened === undefined ? 'h1' : 'h2'
  const save = async () => saveFile('requests.har', JSON.stringify(await live.of.journal.har()))
  return (
    <div class={`split${opened === undefined ? '' : ' opened'}`}>
      <section class="column split-list" aria-label="List of requests">
        <div class="row wrap head">
          <Title class="title">Requests</Title>
          {all.length > 0 && (
            <span class="row push">
              <Button as="small" onClick={() => runner.attempt(save)}>
                Save as HAR
              </Button>
              <ActButton as="small" does={act('journal.clear')} message="Requests cleared.">
                Clear
              </ActButton>
            </span>
          )}
        </div>
        {all.length === 0 ? (
          <Empty title="No requests yet.">
            <p>Send requests here, for example:</p>
            <pre class="code">curl {origin}/api/pipelines</pre>
          </Empty>
        ) : (
          <>
            <div class="row wrap filters">
              <FilterField
                label="Filter the requests"
                placeholder="operation, path, body"
                value={query.text ?? ''}
                write={(text) => routes.filter({ text })}
              />
              <Toggles
                label="Show only"
                options={['errors', 'notes', 'faults'] as const}
                isOn={(name) => query[name] === 'yes'}
                choose={(name) => routes.filter({ [name]: query[name] === 'yes' ? '' : 'yes' })}
              />
            </div>
            <RequestList opened={opened} />
          </>
        )}
      </section>
      <section class="split-one scroll" aria-label="Opened request">
        {opened === undefined ? (
          <div class="stack">
            {rest[0] === undefined ? (
              <p class="wide-only soft">Select a request to see its messages and changes.</p>
            ) : (
              <Nothing>Request {rest[0]} is not stored.</Nothing>
            )}
            <ClientIssues />
            <StateChanges />
          </div>
        ) : (
          <OneRequest
            key={opened.sequence}
            summary={opened}
            close={() => routes.go(routes.filtered('requests'))}
          />
        )}
      </section>
    </div>
  )
}

/** The requests that match the filter. While the pointer is over the list, it does not grow. */
function RequestList({ opened }: { readonly opened: JournalEntry | undefined }) {
  const { routes } = usePanel()
  const { query } = routes.current.value
  const text = (query.text ?? '').toLowerCase()
  const all = useRequests(text !== '')
  const [held, setHeld] = useState<number | undefined>(undefined)
  // Another client may have cleared the log since.
  const isHeld = all.some(({ sequence }) => sequence === held)
  const last = isHeld ? held : all[0]?.sequence
  const on = Object.entries(filters).filter(([name]) => query[name] === 'yes')
  const shown = last === undefined ? [] : all.filter(({ sequence }) => sequence <= last)
  const fitting = shown.filter(
    (entry) => on.every(([, fits]) => fits(entry)) && (text === '' || textOf(entry).includes(text)),
  )
  const isOpened = ({ sequence }: JournalEntry) => sequence === opened?.sequence
  const stop = fitting.find(isOpened) ?? fitting[0]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears whether the pointer rests on a row
    <div
      class="stretch scroll"
      onMouseMove={() => setHeld(last)}
      onMouseLeave={() => setHeld(undefined)}
      onKeyDown={moveFocus}
    >
      {fitting.length === 0 && <Nothing>None of {all.length} requests matches the filter.</Nothing>}
      <Growing
        items={fitting}
        row={(entry) => (
          <RequestRow
            key={entry.sequence}
            entry={entry}
            to={routes.filtered(`requests/${entry.sequence}`)}
            isOpened={isOpened(entry)}
            isStop={entry === stop}
          />
        )}
        end="div"
      />
    </div>
  )
}

function textOf({ operation, method, path, query, request, reply, status }: JournalEntry): string {
  const parts = [operation, `${method} ${path}`, query, status, request.body, reply.body]
  return JSON.stringify(parts).toLowerCase()
}
