import type { ComponentChildren } from 'preact'
import { Link } from '../frame/link.tsx'
import { Empty, Nothing } from '../parts/empty.tsx'
import { StruckBy, statusOf } from '../requests/request-row.tsx'
import { usePanel } from '../store/panel.ts'
import { useNewest } from '../store/use-rows.ts'
import { countOf, openingOf, timeOf, wordOf } from '../store/words.ts'
import { OnPurpose, usePurposeCount } from '../wrong/on-purpose.tsx'
import { HappensNext } from './happens-next.tsx'
import { type PipelineFacts, readPipelines } from './pipeline-facts.ts'
import { PipelineTable } from './pipeline-table.tsx'

/** As many as tell of a pipeline at a glance; those of one that is opened are all asked for. */
const newestRuns = 24

/** What the panel knows of every pipeline. */
export function usePipelines(): PipelineFacts[] | undefined {
  const { live } = usePanel()
  const pipelines = live.table('pipelines').value
  const schedules = live.table('pipeline_schedules').value
  const newest = useNewest('pipeline_runs', 'pipeline_uuid', { limit: newestRuns })
  const failed =
    useNewest('blocks', 'pipeline_uuid', { where: { status: 'failed' }, limit: newestRuns }) ?? {}
  if (pipelines === undefined || newest === undefined || schedules === undefined) return undefined
  return readPipelines(pipelines, newest, schedules, live.upcoming.value, live.lastErrors.value, failed)
}

/** What is going on: one sentence, what comes, the pipelines, what is wrong on purpose, requests, worlds. */
export function Now() {
  const { live, origin } = usePanel()
  const facts = usePipelines()
  if (facts === undefined) return <p class="nothing waiting">Looking at the pipelines …</p>
  const requests = live.requests.value
  if (facts.length === 0 && requests.length === 0) {
    return (
      <Empty title="Nothing is on yet">
        <h1 class="hidden">Now</h1>
        <p>World {live.world.value} has no pipeline, and no request has come.</p>
        <p>
          Open a fixture from the menu of worlds, make a record under{' '}
          <Link to="records/pipelines">pipelines</Link>, or point your application here:
        </p>
        <pre class="code">curl {origin}/api/pipelines</pre>
      </Empty>
    )
  }
  return (
    <div class="now">
      <Said facts={facts} />
      <HappensNext />
      <div class="columns">
        <div class="stack">
          <PipelineTable facts={facts} />
          <section aria-labelledby="worlds-title">
            <div class="section-head">
              <h2 id="worlds-title">Worlds</h2>
            </div>
            <ul class="rows">
              {live.worlds.value.map(({ name, requests }) => (
                <li key={name}>
                  <div>
                    <button
                      type="button"
                      class="link"
                      onClick={() => {
                        live.world.value = name
                      }}
                    >
                      <b>{name}</b>
                    </button>{' '}
                    <span class="quiet">{name === live.world.value ? 'you look at this one' : ''}</span>
                  </div>
                  <span class="quiet">{countOf(requests, 'request')}</span>
                </li>
              ))}
            </ul>
          </section>
        </div>
        <div class="stack">
          <section aria-labelledby="purpose-title">
            <div class="section-head">
              <h2 id="purpose-title">Wrong on purpose</h2>
              <Link to="wrong" as="link push lesser">
                All, and scenarios
              </Link>
            </div>
            <OnPurpose />
          </section>
          <section aria-labelledby="ticker-title">
            <div class="section-head">
              <h2 id="ticker-title">Requests</h2>
              <span class="lesser">as they arrive, logical status</span>
              <Link to="requests" as="link push lesser">
                All {requests.length}
              </Link>
            </div>
            {requests.length === 0 ? (
              <Nothing>No request has come yet.</Nothing>
            ) : (
              <ol class="ticker">
                {requests.slice(0, 8).map((entry) => (
                  <li key={entry.sequence}>
                    <Link to={`requests/${entry.sequence}`}>
                      <b class={entry.status === 200 ? '' : 'fail'}>{statusOf(entry)}</b>
                      <span class="cut">{entry.operation ?? entry.path}</span>
                      <StruckBy ids={entry.faults} />
                      <code>{timeOf(Date.parse(entry.at))}</code>
                    </Link>
                  </li>
                ))}
              </ol>
            )}
          </section>
        </div>
      </div>
    </div>
  )
}

/** One sentence that is true now; every number in it is a link. */
function Said({ facts }: { readonly facts: readonly PipelineFacts[] }) {
  const { live } = usePanel()
  const purposes = usePurposeCount()
  const failed = facts.filter(({ rank }) => rank === 0)
  const failing = facts.filter(({ rank }) => rank === 1)
  const underWay = facts.reduce((sum, each) => sum + each.underWay, 0)
  const errors = live.hiddenErrors.value
  const parts: ComponentChildren[] = []
  if (failed.length > 0) {
    parts.push(
      <>
        <Names of={failed} /> {failed.length === 1 ? 'has' : 'have'} failed
        {failing.length > 0 && (
          <>
            {' '}
            and <Names of={failing} /> {failing.length === 1 ? 'is' : 'are'} about to
          </>
        )}
        .
      </>,
    )
  } else if (failing.length > 0) {
    parts.push(
      <>
        <Names of={failing} /> {failing.length === 1 ? 'is' : 'are'} about to fail.
      </>,
    )
  } else if (facts.length > 0) parts.push(<>No pipeline has failed.</>)
  const rest: ComponentChildren[] = [
    underWay > 0 ? (
      <>
        <Link to="records/pipeline_runs">
          {openingOf(underWay)} {underWay === 1 ? 'run' : 'runs'}
        </Link>{' '}
        {underWay === 1 ? 'is' : 'are'} under way
      </>
    ) : (
      'Nothing is running'
    ),
    ...(purposes > 0
      ? [
          <Link key="purposes" to="wrong" as="cue">
            {wordOf(purposes)} {purposes === 1 ? 'thing' : 'things'}
          </Link>,
        ]
      : []),
    ...(errors > 0
      ? [
          <Link key="errors" to="requests?errors=yes">
            {wordOf(errors)} {errors === 1 ? 'error' : 'errors'} under HTTP 200
          </Link>,
        ]
      : []),
  ]
  return (
    <h1 class="said">
      {parts} {rest[0]}
      {purposes > 0 && (
        <>
          {errors > 0 ? ', ' : ' and '}
          {rest[1]} {purposes === 1 ? 'is' : 'are'} wrong on purpose
        </>
      )}
      {errors > 0 && (
        <>
          {purposes > 0 ? ', and ' : ' and '}the app was told {rest.at(-1)}
        </>
      )}
      .
    </h1>
  )
}

function Names({ of }: { readonly of: readonly PipelineFacts[] }) {
  const shown = of.slice(0, 2)
  return (
    <>
      {shown.map(({ uuid, name }, index) => (
        <>
          {index > 0 && (of.length > 2 ? ', ' : ' and ')}
          <Link key={uuid} to={`pipelines/${encodeURIComponent(uuid)}`} as="fail">
            {name}
          </Link>
        </>
      ))}
      {of.length > 2 && ` and ${wordOf(of.length - 2)} more`}
    </>
  )
}
