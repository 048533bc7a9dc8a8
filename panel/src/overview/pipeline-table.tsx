import type { ScheduledEvent } from '../library.ts'
import { Glyph, Growing, Link, type Mark, Nothing } from '../parts/index.ts'
import { usePanel } from '../store/panel.ts'
import { countOf, spanOf, timeOf, whenOf } from '../store/words.ts'
import { endOf, type PipelineFacts, waitingOf, wordsOfError } from './pipeline-facts.ts'
import { RunStrip } from './run-strip.tsx'

export function PipelineTable({ facts }: { readonly facts: readonly PipelineFacts[] }) {
  if (facts.length === 0) return <Nothing>No pipelines.</Nothing>
  return (
    <table class="pipelines">
      <caption class="lesser">Failing ones first; the height of a run is its duration.</caption>
      <thead>
        <tr>
          {['name', 'last 16 runs', 'next', 'last ended'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <Growing items={facts} row={(each) => <PipelineRow key={each.uuid} facts={each} />} end="tr" />
      </tbody>
    </table>
  )
}

function stateMark({ lastEnded, underWay }: PipelineFacts): Mark {
  if (lastEnded?.status === 'failed') return 'failed'
  if (underWay > 0) return 'running'
  if (lastEnded === undefined) return 'not_executed'
  return lastEnded.status === 'cancelled' ? 'cancelled' : 'completed'
}

function PipelineRow({ facts }: { readonly facts: PipelineFacts }) {
  const { live } = usePanel()
  const now = live.now.value
  const { uuid, name, type, runs, lastEnded, next, error, failsByScript, underWay } = facts
  const run = error?.pipeline_run_id ?? null
  const mark = stateMark(facts)
  const fails = next?.kind === 'fails'
  return (
    <>
      <tr class={error === undefined ? '' : 'has-error'}>
        <td>
          <span class="row">
            <Glyph of={mark} name={mark.replace('_', ' ')} />
            <Link to={placeOf(uuid)} as="cut">
              <b dir="auto">{name}</b>
            </Link>
            <span class="quiet wide-only">{type}</span>
          </span>
          {failsByScript && (
            <span class="mark cue">
              <Glyph of="fault" />
              new runs fail
            </span>
          )}
        </td>
        <td>
          <RunStrip runs={runs} now={now} />
        </td>
        <td class={fails ? 'fail' : 'soft'}>
          {next === undefined || (underWay > 1 && !fails) ? waitingOf(facts) : nextWords(next, now)}
        </td>
        <td class="right quiet">{lastEnded === undefined ? 'never' : whenOf(endOf(lastEnded, now), now)}</td>
      </tr>
      {error !== undefined && (
        <tr class="error-row">
          <td colSpan={4}>
            <div class="row top wrap">
              <span class="fail breaks">{wordsOfError(error)}</span>
              <span class="quiet">
                {run !== null && `in run ${run}`}
                {underWay > 0 && `, ${countOf(underWay, 'run')} under way`}
              </span>
              <Link to={placeOf(uuid) + (run === null ? '' : `/runs/${run}/log`)} as="link">
                Read log
                <span class="hidden"> of {name}</span>
              </Link>
            </div>
          </td>
        </tr>
      )}
    </>
  )
}

export function placeOf(uuid: string): string {
  return `pipelines/${encodeURIComponent(uuid)}`
}

function nextWords({ kind, plural, key, name, at }: ScheduledEvent, now: number): string {
  const time = Date.parse(at)
  const wait = spanOf(Math.max(1_000, time - now))
  if (kind === 'fires') return `fires ${timeOf(time).slice(0, 5)}, in ${wait}`
  if (kind === 'starts') return `begins in ${wait}`
  return `${plural === 'pipeline_runs' ? `run ${key}` : (name ?? key)} ${kind} in ${wait}`
}
