import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { LogFile, PipelineRun } from 'pipeline-understudy/api'
import { isOver, logs, run } from '../api/queries'
import { LogFiles } from '../parts/log-files'
import { Loaded } from '../parts/nothing'
import { Status } from '../parts/status'
import { formatTime } from '../times'

const route = getRouteApi('/inside/pipelines/$uuid/runs/$id')

export function Run() {
  const { uuid, id } = route.useParams()
  return (
    <>
      <p className="trail">
        <Link to="/">Pipelines</Link> /{' '}
        <Link to="/pipelines/$uuid" params={{ uuid }}>
          {uuid}
        </Link>
      </p>
      <h1>Run {id}</h1>
      <Loaded query={useQuery(run(Number(id)))}>{(loaded) => <Watched run={loaded} />}</Loaded>
    </>
  )
}

function Watched({ run }: { run: PipelineRun }) {
  const over = isOver(run)
  const query = useQuery(logs(run.pipeline_uuid, { since: run.created_at, follow: !over }))
  const variables = Object.entries({ ...run.variables, ...run.event_variables })
  return (
    <>
      <div className="watched panel" role="status" aria-label="Status of the run">
        <Status status={run.status} />
        <p>
          Started {formatTime(run.created_at)} UTC
          {run.completed_at
            ? `, over ${formatTime(run.completed_at)} UTC.`
            : over
              ? '.'
              : '; this page follows it.'}
        </p>
        {!over && <span className="progress" aria-hidden="true" />}
      </div>
      {variables.length > 0 && (
        <dl className="variables">
          {variables.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <h2>Log</h2>
      <Loaded query={query}>
        {(files) => <LogFiles files={files.filter((file) => isOf(run, file))} follow={!over} />}
      </Loaded>
    </>
  )
}

/** Tests whether a log file is of a run. The API lists logs by pipeline; only their paths contain the run. */
function isOf({ id, pipeline_schedule_id, execution_date }: PipelineRun, { path }: LogFile): boolean {
  const time = execution_date.slice(0, 19).replaceAll(/[-:]/g, '').replace(' ', 'T')
  return path.includes(`/.logs/${pipeline_schedule_id}/${time}`) || path.includes(`/.logs/${id}/`)
}
