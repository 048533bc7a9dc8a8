import { useEffect, useRef, useState } from 'preact/hooks'
import type { RecordOf } from '../../../src/resources/records.ts'
import { isUnderWay, type Run } from '../now/pipeline-facts.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Nothing } from '../parts/empty.tsx'
import { comingMark, Glyph, markOf } from '../parts/glyph.tsx'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { countOf, lengthOf, momentOf, spanOf, timeOf, whenOf } from '../store/words.ts'
import { aboutReads } from '../wrong/on-purpose.tsx'
import { endOf, startOf } from './lanes.ts'

type RunLog = RecordOf<'logs'>

/** A run, steered by hand: what it is in, what it becomes, five things that can be done, a script. */
export function OneRun({ run, from }: { readonly run: Run; readonly from: string }) {
  const { live, runner } = usePanel()
  const [script, setScript] = useState('')
  const [flaw, setFlaw] = useState('')
  const now = live.now.value
  const isOn = isUnderWay(run)
  const coming = live.upcoming.value.find(
    ({ plural, key }) => plural === 'pipeline_runs' && key === String(run.id),
  )
  return (
    <section aria-labelledby="run-title">
      <div class="section-head">
        <h2 id="run-title">Run {run.id}</h2>
        <span class="lesser">
          {from}, for {whenOf(momentOf(run.execution_date) ?? now, now)}
        </span>
      </div>
      <p class="run-path">
        <span class={`mark ${run.status === 'failed' ? 'fail' : ''}`}>
          <Glyph of={markOf(run.status)} />
          {run.status}{' '}
          {isOn ? `since ${timeOf(startOf(run))}` : `after ${lengthOf(endOf(run, now) - startOf(run))}`}
        </span>
        {isOn && (
          <>
            <i />
            <span class="mark run">{spanOf(Math.max(1e3, now - startOf(run)))}</span>
            <i class="dashed" />
            <span class={`mark${coming?.kind === 'fails' ? ' fail' : ''}`}>
              <Glyph of={coming === undefined ? 'initial' : comingMark(coming.kind)} />
              {coming === undefined
                ? run.reads_left === null
                  ? 'until somebody moves it on'
                  : `${run.next_steps[0]?.status ?? run.ends_as} after ${countOf(run.reads_left, 'more read')}`
                : `${coming.kind} in ${spanOf(Math.max(1e3, Date.parse(coming.at) - now))}`}
            </span>
          </>
        )}
      </p>
      {isOn && run.reads_left !== null && (
        <p class="lesser">
          Now {aboutReads}; looking at it here is none. <b>Next step</b> does what the last of them would.
        </p>
      )}
      {isOn ? (
        <>
          <div class="acts">
            <ActButton does={act('runs.advance', run.id)} says={`Run ${run.id} took its next step.`}>
              Next step
            </ActButton>
            <ActButton does={act('runs.finish', run.id, 'completed')} says={`Run ${run.id} is completed.`}>
              Complete
            </ActButton>
            <ActButton does={act('runs.finish', run.id, 'failed')} says={`Run ${run.id} has failed.`}>
              Fail
            </ActButton>
            <ActButton does={act('runs.finish', run.id, 'cancelled')} says={`Run ${run.id} is cancelled.`}>
              Cancel
            </ActButton>
            <ActButton
              does={act('runs.script', { id: run.id }, 'running until advanced')}
              says={`Run ${run.id} is held.`}
            >
              Hold until advanced
            </ActButton>
          </div>
          <form
            class="field script"
            onSubmit={async (event) => {
              event.preventDefault()
              const outcome = await runner.perform(
                act('runs.script', { id: run.id }, script),
                `Run ${run.id} goes on so.`,
              )
              setFlaw('error' in outcome ? outcome.error.message : '')
            }}
          >
            <label for="run-script">
              script <span class="field-type">how it goes on, from now</span>
            </label>
            <div class="script-line">
              <input
                id="run-script"
                value={script}
                placeholder="running for 20s, then failed"
                required
                aria-invalid={flaw !== ''}
                aria-describedby="run-script-flaw"
                onInput={(event) => setScript(event.currentTarget.value)}
              />
              <button type="submit" class="button">
                Set
              </button>
            </div>
            <p class="flaw" id="run-script-flaw" role="alert">
              {flaw !== '' && (
                <>
                  <Glyph of="failed" />
                  <span>{flaw}</span>
                </>
              )}
            </p>
          </form>
        </>
      ) : (
        <p class="lesser">It has ended: nothing changes it any more.</p>
      )}
    </section>
  )
}

const wrong = /\b(?:ERROR|CRITICAL|FATAL)\b|^(?:\w+\.)*\w*(?:Error|Exception|Undefined\w+)\b|\bfailed$/

/** What a run wrote, file by file; where it wrote nothing, what the last did that failed. */
export function Log({
  run,
  files,
  instead,
  isAskedFor,
}: {
  readonly run: Run
  readonly files: readonly RunLog[]
  readonly instead: number | undefined
  /** Whether one came here to read it. */
  readonly isAskedFor: boolean
}) {
  const [picked, setPicked] = useState<number | undefined>(undefined)
  const own = files.filter(({ pipeline_run_id: id }) => id === run.id)
  const shown = own.length > 0 ? own : files.filter(({ pipeline_run_id: id }) => id === instead)
  const telling = shown.find(
    ({ content, block_uuid: block }) =>
      block !== null && content.split('\n').some((line) => wrong.test(line)),
  )
  const file = shown.find(({ id }) => id === picked) ?? telling ?? shown[0]
  const place = useRef<HTMLElement>(null)
  const isThere = file !== undefined
  useEffect(() => {
    if (isAskedFor && isThere) place.current?.scrollIntoView({ block: 'center' })
  }, [isAskedFor, isThere])
  return (
    <section ref={place} aria-labelledby="log-title">
      <div class="section-head">
        <h2 id="log-title">Log</h2>
        {own.length === 0 && shown.length > 0 && (
          <span class="lesser">
            Run {run.id} has written nothing yet; this is run {instead}, the last to fail.
          </span>
        )}
      </div>
      {file === undefined ? (
        <Nothing>Run {run.id} has written nothing yet.</Nothing>
      ) : (
        <>
          <fieldset class="log-files" aria-label="Log files">
            {shown.map(({ id, name }) => (
              <button key={id} type="button" aria-pressed={id === file.id} onClick={() => setPicked(id)}>
                {name}
              </button>
            ))}
          </fieldset>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <pre class="log" tabIndex={0}>
            {file.content.split('\n').map((line, index) => (
              <span key={index} class={wrong.test(line) ? 'fail' : ''}>
                {line}
                {'\n'}
              </span>
            ))}
          </pre>
        </>
      )}
    </section>
  )
}
