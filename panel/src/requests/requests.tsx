import { useEffect, useRef, useState } from 'preact/hooks'
import type { JournalEntry } from '../../../src/engine/journal/journal-entry.ts'
import { saveFile } from '../parts/copy-button.tsx'
import { Empty } from '../parts/empty.tsx'
import { FilterField } from '../parts/filter-field.tsx'
import { usePanel } from '../store/panel.ts'
import { OneRequest } from './one-request.tsx'
import { RequestRow } from './request-row.tsx'

/** How many rows are drawn at most; the filter reaches the rest. */
const mostRows = 200
const switches = [
  ['errors', ({ status }: JournalEntry) => status !== 200],
  ['notes', ({ notes }: JournalEntry) => notes.length > 0],
  ['faults', ({ faults }: JournalEntry) => faults.length > 0],
] as const

/** What the application asked and was told, as it comes; one of them opened. */
export function Requests() {
  const { live, routes, origin } = usePanel()
  const { rest, query } = routes.current.value
  const all = live.requests.value
  const shown = useGathering(all)
  const list = useRef<HTMLDivElement>(null)
  const text = (query.text ?? '').toLowerCase()
  const on = switches.filter(([name]) => query[name] === 'yes')
  const fitting = shown.entries.filter(
    (entry) => on.every(([, keeps]) => keeps(entry)) && (text === '' || textOf(entry).includes(text)),
  )
  const opened = all.find(({ sequence }) => String(sequence) === rest[0])
  // What is opened is what the page is about, and on a narrow screen all that it shows.
  const Title = opened === undefined ? 'h1' : 'h2'
  const errors = live.hiddenErrors.value
  const search = new URLSearchParams(query).toString()
  const addressOf = (sequence: number) => `requests/${sequence}${search === '' ? '' : `?${search}`}`

  return (
    <div class={`split requests${opened === undefined ? '' : ' opened'}`}>
      <section class="split-list" aria-label="List of requests">
        <div class="head">
          <Title class="title">Requests</Title>
          {errors > 0 && (
            <span class="fail">
              {errors} {errors === 1 ? 'error' : 'errors'} under HTTP 200
            </span>
          )}
          {all.length > 0 && (
            <button
              type="button"
              class="button small push"
              onClick={async () => saveFile('requests.har', JSON.stringify(await live.of.journal.har()))}
            >
              Save as HAR
            </button>
          )}
        </div>
        {all.length === 0 ? (
          <Empty title="No request has come yet.">
            <p>Point your application here, or try:</p>
            <pre class="code">curl {origin}/api/pipelines</pre>
          </Empty>
        ) : (
          <>
            <div class="filters">
              <FilterField
                of="requests"
                placeholder="operation, path, body"
                value={query.text ?? ''}
                write={(text) => routes.filter({ text })}
              />
              <fieldset class="joined" aria-label="Show only">
                {switches.map(([name]) => (
                  <button
                    key={name}
                    type="button"
                    class="button"
                    aria-pressed={query[name] === 'yes'}
                    onClick={() => routes.filter({ [name]: query[name] === 'yes' ? '' : 'yes' })}
                  >
                    {name}
                  </button>
                ))}
              </fieldset>
            </div>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears whether the pointer rests on a row */}
            <div
              class="request-list"
              ref={list}
              onMouseMove={shown.hold}
              onMouseLeave={shown.release}
              onScroll={(event) => {
                if (event.currentTarget.scrollTop > 4) shown.hold()
                else if (!event.currentTarget.matches(':hover')) shown.release()
              }}
              onKeyDown={moveAmongRows}
            >
              {shown.waiting > 0 && (
                <button
                  type="button"
                  class="button small gathered"
                  onClick={() => {
                    shown.release()
                    if (list.current !== null) list.current.scrollTop = 0
                  }}
                >
                  {shown.waiting} new
                </button>
              )}
              {fitting.length === 0 && <p class="nothing">None of {all.length} requests fits the filter.</p>}
              {fitting.slice(0, mostRows).map((entry) => (
                <RequestRow
                  key={entry.sequence}
                  entry={entry}
                  to={addressOf(entry.sequence)}
                  isOpened={entry === opened}
                />
              ))}
              {fitting.length > mostRows && (
                <p class="nothing">
                  The newest {mostRows} of {fitting.length}; filter to see others.
                </p>
              )}
            </div>
          </>
        )}
      </section>
      <section class="split-one" aria-label="Request">
        {opened === undefined ? (
          <p class="nothing">
            {all.length > 0 && 'Choose a request to see what it said and what it changed.'}
          </p>
        ) : (
          <OneRequest
            key={opened.sequence}
            entry={opened}
            back={`requests${search === '' ? '' : `?${search}`}`}
          />
        )}
      </section>
    </div>
  )
}

/** Up and down go along the rows, which are one stop of the Tab key each way. */
export function moveAmongRows(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('a, [data-row]')]
  const root = event.currentTarget.getRootNode() as ShadowRoot
  const place = rows.indexOf(root.activeElement as HTMLElement)
  const next = rows[place + (event.key === 'ArrowDown' ? 1 : -1)]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

const texts = new WeakMap<JournalEntry, string>()

/** What a filter looks for a text in. */
function textOf(entry: JournalEntry): string {
  let text = texts.get(entry)
  if (text === undefined) {
    const { operation, method, path, query, request, reply, status } = entry
    text = JSON.stringify([
      operation,
      `${method} ${path}`,
      query,
      status,
      request.body,
      reply.body,
    ]).toLowerCase()
    texts.set(entry, text)
  }
  return text
}

/** Holds the list still while somebody points at it or has scrolled: what comes meanwhile is counted. */
function useGathering(all: readonly JournalEntry[]) {
  const [held, setHeld] = useState<number | undefined>(undefined)
  const newest = all[0]?.sequence ?? 0
  // Where the journal was emptied, nothing of what is held is there any more.
  useEffect(() => {
    if (held !== undefined && newest < held) setHeld(undefined)
  }, [held, newest])
  return {
    entries: held === undefined ? all : all.filter(({ sequence }) => sequence <= held),
    waiting: held === undefined ? 0 : Math.max(0, newest - held),
    hold: () => setHeld((before) => before ?? newest),
    release: () => setHeld(undefined),
  }
}
