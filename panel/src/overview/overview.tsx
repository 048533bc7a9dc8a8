import type { ComponentChildren } from 'preact'
import { ActiveFaults, useFaultCount, useScripts } from '../faults/active-faults.tsx'
import { Empty, Item, Link, Nothing, Section } from '../parts/index.ts'
import { RequestRow } from '../requests/request-row.tsx'
import { usePanel } from '../store/panel.ts'
import { useWorlds } from '../store/use-query.ts'
import { countOf, nounFor, openingOf, requestCount, wordOf } from '../store/words.ts'
import { HappensNext } from './happens-next.tsx'
import { type PipelineFacts, usePipelines } from './pipeline-facts.ts'
import { PipelineTable, placeOf } from './pipeline-table.tsx'

const mostPipelines = 20
const mostWorlds = 5
const mostRequests = 6

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
          Open a fixture in the list of worlds, create a record under{' '}
          <Link to="records/pipelines" as="link">
            pipelines
          </Link>
          , or send requests here:
        </p>
        <pre class="code">curl {origin}/api/pipelines</pre>
      </Empty>
    )
  }
  return (
    <div class="stack">
      <Summary facts={facts} />
      <HappensNext />
      <div class="columns">
        <div class="stack">
          <Section
            title="Pipelines"
            aside={<All to="pipelines">All {facts.length.toLocaleString('en')}</All>}
          >
            <PipelineTable facts={facts.slice(0, mostPipelines)} />
          </Section>
          <Worlds />
        </div>
        <div class="stack">
          <Section title="Faults and run scripts" aside={<All to="faults">All, and scenarios</All>}>
            <ActiveFaults />
          </Section>
          <NewestRequests />
        </div>
      </div>
    </div>
  )
}

function All({ to, children }: { readonly to: string; readonly children: ComponentChildren }) {
  return (
    <Link to={to} as="link lesser">
      {children}
    </Link>
  )
}

function Worlds() {
  const { live, dialog } = usePanel()
  const worlds = useWorlds()
  const all = (
    <button type="button" class="link lesser" onClick={() => (dialog.value = 'worlds')}>
      All {worlds.length}
    </button>
  )
  return (
    <Section title="Worlds" aside={all}>
      <ul class="rows">
        {worlds.slice(0, mostWorlds).map(({ name, requests }) => (
          <Item key={name} aside={<span class="quiet">{countOf(requests, 'request')}</span>}>
            <button type="button" class="link" onClick={() => (live.world.value = name)}>
              <b>{name}</b>
            </button>{' '}
            <span class="quiet">{name === live.world.value ? 'selected' : ''}</span>
          </Item>
        ))}
      </ul>
    </Section>
  )
}

function NewestRequests() {
  const { live } = usePanel()
  const requests = live.requests.value
  const all = <All to="requests">All {requestCount(requests.length)}</All>
  return (
    <Section title="Requests" note="newest first, logical status" aside={all}>
      {requests.length === 0 && <Nothing>No requests yet.</Nothing>}
      {requests.slice(0, mostRequests).map((entry) => (
        <RequestRow key={entry.sequence} entry={entry} to={`requests/${entry.sequence}`} />
      ))}
    </Section>
  )
}

function Summary({ facts }: { readonly facts: readonly PipelineFacts[] }) {
  const { live } = usePanel()
  const failed = facts.filter(({ state }) => state === 'failed')
  const failing = facts.filter(({ state }) => state === 'failing')
  const underWay = facts.reduce((sum, each) => sum + each.underWay, 0)
  const errors = live.hiddenErrors.value
  return (
    <h1 class="summary">
      <Failures of={failed} one="has failed" many="have failed" />
      <Failures of={failing} one="is about to fail" many="are about to fail" />
      {failed.length + failing.length === 0 && facts.length > 0 && 'No pipeline has failed. '}
      {underWay === 0 && 'Nothing is running. '}
      <Counted to="records/pipeline_runs" count={underWay} noun="run" state="under way" />
      <Counted to="faults" as="cue" count={useFaultCount()} noun="fault" state="active" />
      <Counted to="faults" as="cue" count={useScripts().length} noun="run script" state="set" />
      {errors > 0 && (
        <>
          The app received{' '}
          <Link to="requests?errors=yes">
            {wordOf(errors)} {nounFor(errors, 'error')} under HTTP 200
          </Link>
          .
        </>
      )}
    </h1>
  )
}

interface CountedProps {
  readonly to: string
  readonly as?: string
  readonly count: number
  readonly noun: string
  readonly state: string
}

/** The sentence that so many are in a state; nothing for none. */
function Counted({ to, as = '', count, noun, state }: CountedProps) {
  if (count === 0) return null
  return (
    <>
      <Link to={to} as={as}>
        {openingOf(count)} {nounFor(count, noun)}
      </Link>{' '}
      {count === 1 ? 'is' : 'are'} {state}.{' '}
    </>
  )
}

interface FailuresProps {
  readonly of: readonly PipelineFacts[]
  /** The end of the sentence: after one name, and after several. */
  readonly one: string
  readonly many: string
}

function Failures({ of, one, many }: FailuresProps): ComponentChildren {
  if (of.length === 0) return null
  const names = of.slice(0, 2).map(({ uuid, name }, index) => [
    index > 0 && (of.length > 2 ? ', ' : ' and '),
    <Link key={uuid} to={placeOf(uuid)} as="fail">
      {name}
    </Link>,
  ])
  const others = of.length > 2 && ` and ${wordOf(of.length - 2)} more`
  return [names, others, ` ${of.length === 1 ? one : many}. `]
}
