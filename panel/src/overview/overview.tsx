import type { ComponentChildren } from 'preact'
import { ActiveFaults, useFaultCount } from '../faults/active-faults.tsx'
import { Empty, Link, Nothing, Section } from '../parts/index.ts'
import { FaultNames, statusOf } from '../requests/request-row.tsx'
import { usePanel } from '../store/panel.ts'
import { tableOf } from '../store/table.ts'
import { useQuery, useTable, useWorlds } from '../store/use-query.ts'
import { countOf, openingOf, timeOf, wordOf } from '../store/words.ts'
import { HappensNext } from './happens-next.tsx'
import { type PipelineFacts, readPipelines } from './pipeline-facts.ts'
import { PipelineTable } from './pipeline-table.tsx'

/** As many runs of each pipeline as are read for an overview; of one that is opened all are read. */
const newestRuns = 24

/** Numbers of rows on the first page. */
const mostPipelines = 20
const mostWorlds = 5

/** Reads what the panel shows of every pipeline. */
export function usePipelines(): PipelineFacts[] | undefined {
  const { live } = usePanel()
  const pipelines = useTable('pipelines')
  const schedules = useTable('pipeline_schedules')
  const limit = newestRuns
  const newest = useQuery('records/pipeline_runs', ['newest'], (of) =>
    tableOf(of, 'pipeline_runs').newest('pipeline_uuid', { limit }),
  )
  const failed = useQuery('records/blocks', ['failed'], (of) =>
    tableOf(of, 'blocks').newest('pipeline_uuid', { where: { status: 'failed' }, limit }),
  )
  if (pipelines === undefined || newest === undefined || schedules === undefined) return undefined
  return readPipelines(pipelines, newest, schedules, live.upcoming.value, live.lastErrors.value, failed ?? {})
}

/** The world at a glance: one sentence, scheduled events, pipelines, active faults, requests, worlds. */
export function Overview() {
  const { live, origin } = usePanel()
  const facts = usePipelines()
  if (facts === undefined) return <Nothing>Loading pipelines …</Nothing>
  if (facts.length === 0 && live.requests.value.length === 0) {
    return (
      <Empty title="No data yet">
        <h1 class="hidden">Overview</h1>
        <p>World {live.world.value} has no pipelines and no requests.</p>
        <p>
          Open a fixture from the world menu, create a record under{' '}
          <Link to="records/pipelines">pipelines</Link>, or send requests here:
        </p>
        <pre class="code">curl {origin}/api/pipelines</pre>
      </Empty>
    )
  }
  const all = (
    <Link to="faults" as="link push lesser">
      All, and scenarios
    </Link>
  )
  const allPipelines = facts.length > mostPipelines && (
    <Link to="pipelines" as="link push lesser">
      All {facts.length.toLocaleString('en')}
    </Link>
  )
  return (
    <div>
      <Summary facts={facts} />
      <HappensNext />
      <div class="columns">
        <div class="stack">
          <PipelineTable facts={facts.slice(0, mostPipelines)} aside={allPipelines} />
          <Worlds />
        </div>
        <div class="stack">
          <Section id="faults-title" title="Active faults" aside={all}>
            <ActiveFaults />
          </Section>
          <NewestRequests />
        </div>
      </div>
    </div>
  )
}

function Worlds() {
  const { live } = usePanel()
  const worlds = useWorlds()
  const note = worlds.length > mostWorlds ? `${worlds.length}; all are in the menu of worlds` : ''
  return (
    <Section id="worlds-title" title="Worlds" note={note}>
      <ul class="rows">
        {worlds.slice(0, mostWorlds).map(({ name, requests }) => (
          <li key={name}>
            <div>
              <button type="button" class="link" onClick={() => (live.world.value = name)}>
                <b>{name}</b>
              </button>{' '}
              <span class="quiet">{name === live.world.value ? 'selected' : ''}</span>
            </div>
            <span class="quiet">{countOf(requests, 'request')}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function NewestRequests() {
  const { live } = usePanel()
  const requests = live.requests.value
  const all = (
    <Link to="requests" as="link push lesser">
      All {requests.length}
    </Link>
  )
  return (
    <Section id="ticker-title" title="Requests" note="newest first, logical status" aside={all}>
      {requests.length === 0 && <Nothing>No requests yet.</Nothing>}
      <ol class="ticker">
        {requests.slice(0, 8).map((entry) => (
          <li key={entry.sequence}>
            <Link to={`requests/${entry.sequence}`} as="row">
              <b class={entry.status === 200 ? '' : 'fail'}>{statusOf(entry)}</b>
              <span class="cut">{entry.operation ?? entry.path}</span>
              <FaultNames ids={entry.faults} />
              <code class="count">{timeOf(Date.parse(entry.at))}</code>
            </Link>
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** One sentence about the world; every number in it is a link. */
function Summary({ facts }: { readonly facts: readonly PipelineFacts[] }) {
  const { live } = usePanel()
  const faults = useFaultCount()
  const underWay = facts.reduce((sum, each) => sum + each.underWay, 0)
  const errors = live.hiddenErrors.value
  return (
    <h1 class="summary">
      <Failures facts={facts} />{' '}
      {underWay === 0 ? (
        'Nothing is running'
      ) : (
        <>
          <Link to="records/pipeline_runs">
            {openingOf(underWay)} {underWay === 1 ? 'run' : 'runs'}
          </Link>{' '}
          {isOrAre(underWay)} under way
        </>
      )}
      {faults > 0 && (
        <>
          {errors > 0 ? ', ' : ' and '}
          <Link to="faults" as="cue">
            {wordOf(faults)} {faults === 1 ? 'fault' : 'faults'}
          </Link>{' '}
          {isOrAre(faults)} active
        </>
      )}
      {errors > 0 && (
        <>
          {faults > 0 ? ', and ' : ' and '}the app received{' '}
          <Link to="requests?errors=yes">
            {wordOf(errors)} {errors === 1 ? 'error' : 'errors'} under HTTP 200
          </Link>
        </>
      )}
      .
    </h1>
  )
}

function isOrAre(count: number): string {
  return count === 1 ? 'is' : 'are'
}

/** The pipelines that have failed, or are about to. */
function Failures({ facts }: { readonly facts: readonly PipelineFacts[] }) {
  const failed = facts.filter(({ state }) => state === 'failed')
  const failing = facts.filter(({ state }) => state === 'failing')
  if (facts.length === 0) return null
  if (failed.length + failing.length === 0) return 'No pipeline has failed.'
  const about = failing.length > 0 && [
    <Names key="names" of={failing} />,
    ` ${isOrAre(failing.length)} about to`,
  ]
  if (failed.length === 0) return [about, ' fail.']
  return (
    <>
      <Names of={failed} /> {failed.length === 1 ? 'has' : 'have'} failed{about && [' and ', about]}.
    </>
  )
}

function Names({ of }: { readonly of: readonly PipelineFacts[] }): ComponentChildren {
  const names = of.slice(0, 2).map(({ uuid, name }, index) => [
    index > 0 && (of.length > 2 ? ', ' : ' and '),
    <Link key={uuid} to={`pipelines/${encodeURIComponent(uuid)}`} as="fail">
      {name}
    </Link>,
  ])
  return [names, of.length > 2 && ` and ${wordOf(of.length - 2)} more`]
}
