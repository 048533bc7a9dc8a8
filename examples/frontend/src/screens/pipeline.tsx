import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { PipelineDetail, PipelineRun, PipelineSchedule } from 'pipeline-understudy/api'
import { useState } from 'react'
import { useTrigger } from '../api/mutations'
import { block, pipeline, runs, triggers } from '../api/queries'
import { BlockGraph } from '../parts/block-graph'
import { Loaded } from '../parts/nothing'
import { Status } from '../parts/status'
import { formatDuration, formatInterval, formatTime, nextFiring, parseTimestamp } from '../times'

const route = getRouteApi('/inside/pipelines/$uuid')

export function Pipeline() {
  const { uuid } = route.useParams()
  return (
    <Loaded query={useQuery(pipeline(uuid))}>{(loaded) => <Whole key={uuid} pipeline={loaded} />}</Loaded>
  )
}

function Whole({ pipeline }: { pipeline: PipelineDetail }) {
  const { uuid, name, description, type, blocks, callbacks, conditionals } = pipeline
  const [chosen, setChosen] = useState<string>()
  const beside = [...callbacks, ...conditionals] as readonly { name?: string; type?: string }[]
  return (
    <>
      <p className="trail">
        <Link to="/">Pipelines</Link> / {type}
      </p>
      <h1 dir="auto">{name}</h1>
      {description && <p className="lead">{description}</p>}
      <p className="links">
        <Link to="/pipelines/$uuid/logs" params={{ uuid }}>
          Read its logs
        </Link>
      </p>

      <h2>Blocks</h2>
      {blocks.length === 0 ? (
        <p className="lead">It has no block yet.</p>
      ) : (
        <div className="panel">
          <BlockGraph
            blocks={blocks}
            chosen={chosen}
            onChoose={(picked) => setChosen(picked === chosen ? undefined : picked)}
          />
          {chosen && <Chosen pipelineUuid={uuid} uuid={chosen} />}
        </div>
      )}
      {beside.length > 0 && (
        <p className="aside">
          Beside the flow: {beside.map(({ name, type }) => `${name} (${type})`).join(', ')}.
        </p>
      )}

      <h2>Triggers</h2>
      <Triggers uuid={uuid} />

      <h2>Last runs</h2>
      <Runs uuid={uuid} />
    </>
  )
}

function Chosen({ pipelineUuid, uuid }: { pipelineUuid: string; uuid: string }) {
  const query = useQuery(block(pipelineUuid, uuid))
  return (
    <section className="chosen" aria-label={`Block ${uuid}`}>
      <Loaded query={query}>
        {({ name, content, executor_type }) => (
          <>
            <h3>
              {name} <small>runs by {executor_type}</small>
            </h3>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
            <pre tabIndex={0}>{content || 'It has no content.'}</pre>
          </>
        )}
      </Loaded>
    </section>
  )
}

function Triggers({ uuid }: { uuid: string }) {
  const query = useQuery(triggers(uuid))
  const navigate = useNavigate()
  const trigger = useTrigger(uuid)
  function start(schedule: PipelineSchedule) {
    trigger.mutate(schedule, {
      onSuccess: ({ id }) =>
        void navigate({ to: '/pipelines/$uuid/runs/$id', params: { uuid, id: String(id) } }),
    })
  }
  return (
    <Loaded query={query}>
      {(schedules) =>
        schedules.length === 0 ? (
          <p className="lead">Nothing starts it.</p>
        ) : (
          <ul className="rows panel" aria-label="Triggers">
            {schedules.map((schedule) => (
              <li key={schedule.id} className="row row-trigger">
                <div className="row-name">
                  <strong>{schedule.name}</strong>
                  <p>
                    {formatInterval(schedule)}
                    {schedule.tags?.map((tag) => (
                      <span key={tag} className="tag">
                        {tag}
                      </span>
                    ))}
                  </p>
                </div>
                <p className="row-next">{formatPlan(schedule)}</p>
                <button
                  type="button"
                  className="button"
                  disabled={trigger.isPending}
                  aria-label={`Trigger now: ${schedule.name}`}
                  onClick={() => start(schedule)}
                >
                  Trigger now
                </button>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function formatPlan(schedule: PipelineSchedule): string {
  if (schedule.status !== 'active') return schedule.status
  const now = new Date()
  const next = nextFiring(schedule, now)
  return next ? `next in ${formatDuration(next.getTime() - now.getTime())}` : 'active'
}

function Runs({ uuid }: { uuid: string }) {
  const query = useQuery(runs(uuid))
  return (
    <Loaded query={query}>
      {(list) =>
        list.length === 0 ? (
          <p className="lead">It has not run yet.</p>
        ) : (
          <ul className="rows panel" aria-label="Last runs">
            {list.map((run) => (
              <li key={run.id} className="row row-run">
                <Link to="/pipelines/$uuid/runs/$id" params={{ uuid, id: String(run.id) }}>
                  Run {run.id}
                </Link>
                <Status status={run.status} />
                <p>{formatTime(run.created_at)}</p>
                <p className="row-next">{formatLength(run)}</p>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function formatLength({ created_at, completed_at }: PipelineRun): string {
  if (!completed_at) return ''
  return `took ${formatDuration(parseTimestamp(completed_at).getTime() - parseTimestamp(created_at).getTime())}`
}
