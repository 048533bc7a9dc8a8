import { aboutReads } from '../faults/active-faults.tsx'
import { endOf, isUnderWay, type Run, startOf } from '../overview/pipeline-facts.ts'
import { ActButton, Glyph, LineForm, markOf, Section, scheduledMark } from '../parts/index.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { countOf, parseTimestamp, spanOf, timeOf, whenOf } from '../store/words.ts'
import { isOfRun } from './lanes.ts'

export function OneRun({ run, from }: { readonly run: Run; readonly from: string }) {
  const { live } = usePanel()
  const now = live.now.value
  const note = `${from}, for ${whenOf(parseTimestamp(run.execution_date) ?? now, now)}`
  return (
    <Section title={`Run ${run.id}`} note={note}>
      <RunPath run={run} />
      {isUnderWay(run) ? (
        <>
          {run.reads_left !== null && (
            <p class="lesser">
              Here, {aboutReads}; the panel does not count. <b>Next step</b> does what the last read would.
            </p>
          )}
          <RunActs id={run.id} />
          <LineForm
            label="Script: what happens next, from now"
            placeholder="running for 20s, then failed"
            button="Set script"
            action={(script) => ({
              does: act('runs.script', { id: run.id }, script),
              message: `Script of run ${run.id} set.`,
            })}
          />
        </>
      ) : (
        <p class="lesser">This run has finished and can no longer be changed.</p>
      )}
    </Section>
  )
}

function RunPath({ run }: { readonly run: Run }) {
  const { live } = usePanel()
  const now = live.now.value
  const start = startOf(run)
  const isOn = isUnderWay(run)
  const scheduled = live.scheduled.value.find(isOfRun(run))
  const nextChangeWords = () => {
    if (scheduled !== undefined)
      return `${scheduled.kind} in ${spanOf(Math.max(1e3, Date.parse(scheduled.at) - now))}`
    if (run.reads_left === null) return 'until advanced manually'
    return `${run.next_steps[0]?.status ?? run.ends_as} after ${countOf(run.reads_left, 'more read')}`
  }
  return (
    <p class="row wrap wide nothing">
      <span class={`row ${run.status === 'failed' ? 'fail' : ''}`}>
        <Glyph of={markOf(run.status)} />
        {run.status} {isOn ? `since ${timeOf(start)}` : `after ${spanOf(endOf(run, now) - start)}`}
      </span>
      {isOn && (
        <span class={`row ${scheduled?.kind === 'fails' ? 'fail' : ''}`}>
          <Glyph of={scheduled === undefined ? 'initial' : scheduledMark(scheduled.kind)} />
          {nextChangeWords()}
        </span>
      )}
    </p>
  )
}

function RunActs({ id }: { readonly id: number }) {
  const acts = [
    ['Next step', act('runs.advance', id), 'advanced one step'],
    ['Complete', act('runs.finish', id, 'completed'), 'completed'],
    ['Fail', act('runs.finish', id, 'failed'), 'failed'],
    ['Cancel', act('runs.finish', id, 'cancelled'), 'cancelled'],
    ['Hold until advanced', act('runs.script', { id }, 'running until advanced'), 'held'],
  ] as const
  return (
    <div class="row wrap">
      {acts.map(([words, does, message]) => (
        <ActButton key={words} does={does} message={`Run ${id} ${message}.`}>
          {words}
        </ActButton>
      ))}
    </div>
  )
}
