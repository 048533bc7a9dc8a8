import { ArrowLeft, MessageSquare } from 'lucide'
import { useState } from 'preact/hooks'
import type { JournalEntry, JournalMessage } from '../../../src/engine/journal/journal-entry.ts'
import { Link } from '../frame/link.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Json } from '../parts/json.tsx'
import { usePanel } from '../store/panel.ts'
import { timeOf, tookOf } from '../store/words.ts'
import { type CopyForm, copies } from './copies.ts'
import { Diff } from './diff.tsx'
import { StruckBy, statusOf } from './request-row.tsx'

const forms = Object.keys(copies) as CopyForm[] // The table's own names.
const titles = { curl: 'As a command', fetch: 'As fetch', matcher: 'As a matcher' } as const

/** One request: both statuses, what had no effect, what it changed, what was sent and answered. */
export function OneRequest({ entry, back }: { readonly entry: JournalEntry; readonly back: string }) {
  const { origin } = usePanel()
  const [form, setForm] = useState<CopyForm>('matcher')
  const { status, httpStatus, operation, method, path, sequence, world, at, milliseconds, notes } = entry
  const message = messageOf(entry)
  const search = new URLSearchParams(
    Object.entries(entry.query).flatMap(([name, value]) =>
      [value].flat().map((each) => [name, String(each)]),
    ),
  ).toString()
  return (
    <>
      <Link to={back} as="button back">
        <Icon of={ArrowLeft} /> All requests
      </Link>
      <div class="one-head">
        <p class="one-status">
          <b class={status === 200 ? '' : 'fail'}>{statusOf(entry)}</b>
          <small class={httpStatus >= 400 ? 'fail' : ''}>
            {httpStatus === 0 ? 'no answer' : `HTTP ${httpStatus}`}
          </small>
        </p>
        <div>
          <h1 class="title">{operation ?? 'unknown path'}</h1>
          <code class="one-path">
            {method} {path}
            {search === '' ? '' : `?${search}`}
          </code>
          <p class="lesser">
            request {sequence} of world {world}, {timeOf(Date.parse(at))}
            {at.slice(19, 23)}, answered in {tookOf(milliseconds)}
            {entry.held ? `, held back for ${tookOf(entry.held)}` : ''} <StruckBy ids={entry.faults} />
          </p>
        </div>
        <fieldset class="joined push" aria-label="Form to copy">
          {forms.map((each) => (
            <button
              key={each}
              type="button"
              class="button"
              aria-pressed={each === form}
              onClick={() => setForm(each)}
            >
              {each}
            </button>
          ))}
        </fieldset>
      </div>
      {message !== undefined && <p class="one-error fail">{message}</p>}
      {notes.length > 0 && (
        <ul class="notes">
          {notes.map((note) => (
            <li key={note}>
              <Icon of={MessageSquare} />
              <span>
                <b>Had no effect:</b> {note}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Diff entry={entry} />
      <div class="duo">
        <Message title="Request" message={entry.request} notes={notes} />
        <Message title="Reply" message={entry.reply} notes={[]} />
      </div>
      <section>
        <div class="section-head">
          <h2>{titles[form]}</h2>
          <CopyButton text={() => copies[form](entry, origin)} what="the request" as="small push">
            Copy
          </CopyButton>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
        <pre class="code" tabIndex={0}>
          {copies[form](entry, origin)}
        </pre>
      </section>
    </>
  )
}

/** What an error said. */
function messageOf({ reply: { body }, status }: JournalEntry): string | undefined {
  if (status === 200) return undefined
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as {
    error?: { message?: unknown }
  }
  return typeof error?.message === 'string' ? error.message : undefined
}

function Message({
  title,
  message,
  notes,
}: {
  readonly title: string
  readonly message: JournalMessage
  readonly notes: readonly string[]
}) {
  const type = Object.entries(message.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  // A note names what it is about between backquotes or as the last part of a path.
  const marked = notes.flatMap((note) => note.match(/[A-Za-z_][\w]*/g) ?? [])
  return (
    <section>
      <div class="section-head">
        <h2>{title}</h2>
        <span class="lesser">{message.body === undefined ? '' : type?.split(';')[0]}</span>
      </div>
      {message.omitted === undefined ? (
        <Json
          value={message.body}
          marked={notes.length > 0 ? marked.filter((word) => isAttribute(word)) : []}
        />
      ) : (
        <p class="nothing">It was too long to be kept: {message.omitted.toLocaleString('en')} characters.</p>
      )}
    </section>
  )
}

/** Names of attributes are told from words by their form. */
function isAttribute(word: string): boolean {
  return word.includes('_')
}
