import type { EventKind } from '../../../src/resources/event-words.ts'
import { Link } from '../frame/link.tsx'
import { Nothing } from '../parts/empty.tsx'
import { Glyph, type Mark } from '../parts/glyph.tsx'
import { usePanel } from '../store/panel.ts'
import { countOf, momentOf, spanOf, timeOf, whenOf } from '../store/words.ts'
import { isUnderWay, type PipelineFacts, waitingOf, wordsOfError } from './pipeline-facts.ts'
import { RunStrip } from './run-strip.tsx'

/** The pipelines, failing ones first, each with its last runs and what comes next. */
export function PipelineTable({ facts }: { readonly facts: readonly PipelineFacts[] }) {
  const { live } = usePanel()
  const now = live.now.value
  return (
    <section aria-labelledby="pipelines-title">
      <div class="section-head">
        <h2 id="pipelines-title">Pipelines</h2>
        <span class="lesser">{facts.length}, failing first; the height of a run is how long it took</span>
      </div>
      {facts.length === 0 ? (
        <Nothing>There is no pipeline yet.</Nothing>
      ) : (
        <table class="pipelines">
          <thead>
            <tr>
              <th scope="col">name</th>
              <th scope="col">last 16 runs</th>
              <th scope="col">next</th>
              <th scope="col" class="right">
                last ended
              </th>
            </tr>
          </thead>
          <tbody>
            {facts.map((each) => (
              <PipelineRow key={each.uuid} facts={each} now={now} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

/** The state that a pipeline is in. */
function stateOf({ lastEnded, underWay }: PipelineFacts): Mark {
  if (lastEnded?.status === 'failed') return 'failed'
  if (underWay > 0) return 'running'
  if (lastEnded === undefined) return 'not_executed'
  return lastEnded.status === 'cancelled' ? 'cancelled' : 'completed'
}

function PipelineRow({ facts, now }: { readonly facts: PipelineFacts; readonly now: number }) {
  const { uuid, name, type, runs, lastEnded, next, error, failedBlocks, failsByScript, underWay } = facts
  const state = stateOf(facts)
  const ended = momentOf(lastEnded?.completed_at)
  const place = `pipelines/${encodeURIComponent(uuid)}`
  return (
    <>
      <tr class={error === undefined ? '' : 'has-error'}>
        <td>
          <span class="pipeline-name">
            <Glyph of={state} name={state.replace('_', ' ')} />
            <Link to={place} as="cut">
              <b dir="auto">{name}</b>
            </Link>
            <span class="type">{type}</span>
          </span>
          {failsByScript && (
            <span class="tag cue">
              <Glyph of="purpose" />
              new runs fail
            </span>
          )}
        </td>
        <td>
          <RunStrip runs={runs} now={now} />
        </td>
        <td class={next?.kind === 'fails' ? 'fail' : 'lesser-text'}>
          {next === undefined || (underWay > 1 && next.kind !== 'fails')
            ? waitingOf(facts)
            : nextWords(
                next.kind,
                next.plural === 'pipeline_runs' ? `run ${next.key}` : (next.name ?? next.key),
                Date.parse(next.at),
                now,
              )}
        </td>
        <td class="right quiet">{ended === undefined ? 'never' : whenOf(ended, now)}</td>
      </tr>
      {error !== undefined && (
        <tr class="error-row">
          <td colSpan={4}>
            <div>
              <span class="fail">
                {failedBlocks.length > 0 && <b>{failedBlocks.join(', ')}</b>}
                {failedBlocks.length > 0 && ': '}
                {wordsOfError(error) ?? 'failed'}
              </span>{' '}
              <span class="quiet">
                {error.pipeline_run_id !== null && `in run ${error.pipeline_run_id}`}
                {underWay > 0 && runs.some(isUnderWay) && `, ${countOf(underWay, 'run')} under way`}
              </span>
              <Link
                to={`${place}${error.pipeline_run_id === null ? '' : `/runs/${error.pipeline_run_id}/log`}`}
                as="link"
              >
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

function nextWords(kind: EventKind, what: string, at: number, now: number): string {
  const wait = spanOf(Math.max(1_000, at - now))
  if (kind === 'fires') return `fires ${timeOf(at).slice(0, 5)}, in ${wait}`
  if (kind === 'starts') return `begins in ${wait}`
  return `${what} ${kind} in ${wait}`
}
