import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ListedPipeline } from 'pipeline-understudy/api'
import { pipelines, stateOf } from '../api/queries'
import { Loaded } from '../parts/nothing'
import { Status } from '../parts/status'
import { formatDuration, nextFiring } from '../times'

export function Pipelines() {
  const query = useQuery(pipelines())
  return (
    <>
      <h1>Pipelines</h1>
      <Loaded query={query}>
        {(list) => (
          <>
            <p className="sentence">{summarize(list)}</p>
            {list.length > 0 && (
              <ul className="rows panel" aria-label="Pipelines">
                {list.toSorted(byUrgency).map((pipeline) => (
                  <Row key={pipeline.uuid} pipeline={pipeline} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

function Row({ pipeline }: { pipeline: ListedPipeline }) {
  const { uuid, name, description, type } = pipeline
  return (
    <li className="row row-pipeline">
      <div className="row-name">
        <Link to="/pipelines/$uuid" params={{ uuid }} dir="auto">
          {name}
        </Link>
        <p>{description ?? `A pipeline of type ${type}.`}</p>
      </div>
      <Status status={stateOf(pipeline)} />
      <p className="row-next">{formatNext(pipeline)}</p>
    </li>
  )
}

const urgency = ['failed', 'running', 'initial', 'completed', 'cancelled', 'never ran']

function byUrgency(one: ListedPipeline, other: ListedPipeline): number {
  return urgency.indexOf(stateOf(one)) - urgency.indexOf(stateOf(other)) || one.name.localeCompare(other.name)
}

function formatNext({ schedules = [] }: ListedPipeline): string {
  const now = new Date()
  const firings = schedules.flatMap((schedule) => nextFiring(schedule, now) ?? [])
  if (firings.length === 0) return 'nothing planned'
  const soonest = Math.min(...firings.map((firing) => firing.getTime()))
  return `next in ${formatDuration(soonest - now.getTime())}`
}

/** Summarizes the pipelines in a sentence. */
function summarize(list: readonly ListedPipeline[]): string {
  if (list.length === 0) return 'There is no pipeline yet.'
  const states = list.map(stateOf)
  const count = (state: string) => states.filter((one) => one === state).length
  const failed = count('failed')
  const running = count('running') + count('initial')
  const ran =
    failed === 0
      ? 'All went well when they last ran'
      : `${failed} of ${list.length} failed when they last ran`
  return running === 0 ? `${ran}.` : `${ran}; ${running} ${running === 1 ? 'is' : 'are'} running now.`
}
