import { MessageSquare } from 'lucide'
import { useState } from 'preact/hooks'
import type { JournalEntry, JournalMessage } from '../library.ts'
import {
  ActButton,
  CloseButton,
  Code,
  CopyButton,
  Icon,
  Nothing,
  Section,
  Terms,
  Toggles,
} from '../parts/index.ts'
import { act } from '../store/acts.ts'
import { searchOf } from '../store/journal-text.ts'
import { usePanel } from '../store/panel.ts'
import { useRequest } from '../store/use-query.ts'
import { countOf, durationWords, timeOf } from '../store/words.ts'
import { type CopyForm, copies } from './copies.ts'
import { Diff } from './diff.tsx'
import { FaultNames, Status } from './request-row.tsx'

interface OneRequestProps {
  readonly summary: JournalEntry
  readonly close: () => void
}

export function OneRequest({ summary, close }: OneRequestProps) {
  const { origin } = usePanel()
  const detailed = useRequest(summary.sequence)
  const entry = detailed ?? summary
  const [form, setForm] = useState<CopyForm>('matcher')
  const { operation, method, path, sequence, world, at, milliseconds, held, notes, request } = entry
  const error = errorOf(entry)
  const copy = () => copies[form].write(entry, origin)
  const forms = (
    <>
      <Toggles
        label="Form to copy"
        options={['curl', 'fetch', 'matcher'] as const}
        isOn={(each) => each === form}
        choose={setForm}
        as="small"
      />
      <CopyButton text={copy} what="the request" as="small">
        Copy
      </CopyButton>
    </>
  )
  const address = path + searchOf(entry)
  return (
    <div class="stack">
      <div class="row top wide">
        <p class="one-status">
          <Status of={entry} />
        </p>
        <div class="stretch">
          <h1 class="title breaks">{operation ?? 'unknown path'}</h1>
          <code class="breaks">
            {method} {address}
          </code>
          <p class="lesser">
            request {sequence} of world {world}, {timeOf(Date.parse(at))}
            {at.slice(19, 23)}, replied in {durationWords(milliseconds)}
            {held ? `, delayed by ${durationWords(held)}` : ''} <FaultNames ids={entry.faults} />
          </p>
          {/* A credential in the path is not stored, so such a request cannot be sent again. */}
          {detailed && !address.includes('***') && (
            <ActButton
              does={act('fetch', method, address, request.body)}
              message={(reply) => `Replayed: HTTP ${Object(reply).httpStatus}.`}
            >
              Replay
            </ActButton>
          )}
        </div>
        <CloseButton close={close} />
      </div>
      {error !== undefined && <p class="breaks fail">{error}</p>}
      {notes.length > 0 && (
        <ul class="rows">
          {notes.map((note) => (
            <li key={note} class="row top">
              <Icon of={MessageSquare} />
              <span>
                <b>No effect:</b> {note}
              </span>
            </li>
          ))}
        </ul>
      )}
      {detailed === undefined && <Nothing>Loading …</Nothing>}
      {detailed === null && <Nothing>The journal no longer stores this request.</Nothing>}
      {detailed && (
        <>
          <Diff entry={entry} />
          <div class="duo">
            <Message title="Request" message={entry.request} />
            <Message title="Reply" message={entry.reply} />
          </div>
          <Section title={copies[form].title} aside={forms}>
            <Code>{copy()}</Code>
          </Section>
        </>
      )}
    </div>
  )
}

function errorOf({ reply: { body }, status }: JournalEntry): string | undefined {
  const { message } = Object(Object(body).error)
  return status !== 200 && typeof message === 'string' ? message : undefined
}

/** Maximum number of characters of a body. */
const longest = 20_000

interface MessageProps {
  readonly title: string
  readonly message: JournalMessage
}

function Message({ title, message: { headers, body, omitted } }: MessageProps) {
  const [, type = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? []
  const text = typeof body === 'string' ? body : (JSON.stringify(body, null, 2) ?? '')
  const hidden = text.length - longest
  const copyButton = body !== undefined && (
    <CopyButton text={() => text} what={`the body of the ${title.toLowerCase()}`} />
  )
  return (
    <Section title={title} note={body === undefined ? '' : type.split(';')[0]} aside={copyButton}>
      <details>
        <summary class="label">{countOf(Object.keys(headers).length, 'header')}</summary>
        <Terms as="terms mono" of={Object.entries(headers)} />
      </details>
      {omitted !== undefined ? (
        <Nothing>Too long to store: {omitted.toLocaleString('en')} characters.</Nothing>
      ) : body === undefined ? (
        <Nothing>No body.</Nothing>
      ) : (
        <Code>
          {text.slice(0, longest)}
          {hidden > 0 && `\n… ${hidden.toLocaleString('en')} more characters; copy to read all`}
        </Code>
      )}
    </Section>
  )
}
