import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ListedPipeline, PipelineRun } from 'pipeline-understudy/api'
import { parseTimestamp } from '../times'
import { send } from './client'

/** Interval for reading again what is in progress. */
const followMilliseconds = 1_000

const backfillsPerPage = 5

export function isOver({ status }: Pick<PipelineRun, 'status'>): boolean {
  return ['completed', 'failed', 'cancelled'].includes(status)
}

export const pipelines = () =>
  queryOptions({
    queryKey: ['pipelines'],
    queryFn: async ({ signal }) =>
      (await send<'listPipelines'>('/pipelines', { query: { include_schedules: 1 }, signal })).pipelines,
    refetchInterval: 10_000,
  })

export const pipeline = (uuid: string) =>
  queryOptions({
    queryKey: ['pipeline', uuid],
    queryFn: async ({ signal }) =>
      (await send<'readPipeline'>(`/pipelines/${encodeURIComponent(uuid)}`, { signal })).pipeline,
  })

export const block = (pipelineUuid: string, uuid: string) =>
  queryOptions({
    queryKey: ['pipeline', pipelineUuid, 'block', uuid],
    queryFn: async ({ signal }) => {
      const path = `/pipelines/${encodeURIComponent(pipelineUuid)}/blocks/${encodeURIComponent(uuid)}`
      return (await send<'readBlock'>(path, { signal })).block
    },
  })

export const triggers = (uuid: string) =>
  queryOptions({
    queryKey: ['pipeline', uuid, 'triggers'],
    queryFn: async ({ signal }) => {
      const path = `/pipelines/${encodeURIComponent(uuid)}/pipeline_schedules`
      return (await send<'listPipelineSchedules'>(path, { signal })).pipeline_schedules
    },
  })

export const runs = (uuid: string) =>
  queryOptions({
    queryKey: ['pipeline', uuid, 'runs'],
    queryFn: async ({ signal }) => {
      const query = { pipeline_uuid: uuid, _limit: 10 }
      return (await send<'listPipelineRuns'>('/pipeline_runs', { query, signal })).pipeline_runs
    },
    refetchInterval: ({ state }) => (state.data?.every(isOver) ? false : 2 * followMilliseconds),
  })

/** A run, asked again until it is over. */
export const run = (id: number) =>
  queryOptions({
    queryKey: ['run', id],
    queryFn: async ({ signal }) =>
      (await send<'readPipelineRun'>(`/pipeline_runs/${id}`, { signal })).pipeline_run,
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : followMilliseconds),
  })

/** Log lines since a time, in any run; read again while the screen follows them. */
export const logs = (uuid: string, { since, follow }: { since?: string; follow: boolean }) =>
  queryOptions({
    // Asked once more where following ends: what was written last is not missed.
    queryKey: ['pipeline', uuid, 'logs', since ?? 'all', { follow }],
    queryFn: async ({ signal }) => {
      const time = since && parseTimestamp(since)
      const start = time && Math.floor(time.getTime() / 1_000)
      const query = { _limit: 40, start_timestamp: start }
      const path = `/pipelines/${encodeURIComponent(uuid)}/logs`
      const [entry] = (await send<'listLogs'>(path, { query, signal })).logs
      return [...(entry?.pipeline_run_logs ?? []), ...(entry?.block_run_logs ?? [])]
    },
    placeholderData: keepPreviousData,
    refetchInterval: follow ? followMilliseconds : false,
  })

export const backfills = (page: number) =>
  queryOptions({
    queryKey: ['backfills', page],
    queryFn: async ({ signal }) => {
      const query = {
        _limit: backfillsPerPage,
        _offset: (page - 1) * backfillsPerPage,
        include_run_count: 'true',
      }
      return send<'listBackfills'>('/backfills', { query, signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  })

/** Returns the state of the last runs of a pipeline, the worst first. */
export function stateOf({ schedules = [] }: Pick<ListedPipeline, 'schedules'>): string {
  const last = schedules.map(({ last_pipeline_run_status }) => last_pipeline_run_status)
  return (
    ['failed', 'running', 'initial', 'completed', 'cancelled'].find((status) =>
      last.includes(status as never),
    ) ?? 'never ran'
  )
}
