import type { LastError, RecordOf, ScheduledEvent } from '../library.ts'
import { usePanel } from '../store/panel.ts'
import { tableOf } from '../store/table.ts'
import { useQuery, useTable } from '../store/use-query.ts'
import { byName, parseTimestamp } from '../store/words.ts'

export type Run = RecordOf<'pipeline_runs'>
export type ScheduleRecord = RecordOf<'pipeline_schedules'>

/** The states of a pipeline, those first that one wants to know of first. */
const states = ['failed', 'failing', 'failing-by-script', 'running', 'waiting', 'idle', 'never-run'] as const

export interface PipelineFacts {
  readonly uuid: string
  readonly name: string
  readonly type: string
  readonly state: (typeof states)[number]
  readonly runs: readonly Run[]
  readonly underWay: number
  readonly lastEnded: Run | undefined
  readonly next: ScheduledEvent | undefined
  readonly schedules: readonly ScheduleRecord[]
  readonly error: LastError | undefined
  readonly failsByScript: boolean
}

export function startOf(run: Run): number {
  return parseTimestamp(run.created_at) ?? 0
}

/** Returns the end of a run, or the present time; a cancelled run may have no end. */
export function endOf(run: Run, now: number): number {
  return isUnderWay(run) ? now : (parseTimestamp(run.completed_at) ?? startOf(run))
}

export function isUnderWay({ status }: Pick<Run, 'status'>): boolean {
  return status === 'running' || status === 'initial'
}

/** Number of runs of each pipeline in the overview; an open pipeline shows all. */
const newestRuns = 24

/** Reads what the panel shows of every pipeline, failing ones first. */
export function usePipelines(): PipelineFacts[] | undefined {
  const { live } = usePanel()
  const pipelines = useTable('pipelines')
  const schedules = useTable('pipeline_schedules')
  const newest = useQuery('records/pipeline_runs', ['newest'], (of) =>
    tableOf(of, 'pipeline_runs').newest('pipeline_uuid', { limit: newestRuns }),
  )
  if (pipelines === undefined || newest === undefined || schedules === undefined) return undefined
  return pipelines
    .map(({ uuid, name, type, run_script: script }): PipelineFacts => {
      const runs = newest[uuid] ?? []
      const own = schedules.filter((schedule) => schedule.pipeline_uuid === uuid)
      const ended = runs.filter((run) => !isUnderWay(run))
      const lastEnded = ended.toSorted((one, other) => endOf(one, 0) - endOf(other, 0)).at(-1)
      const scheduled = live.scheduled.value.filter(({ belongsTo }) => belongsTo.pipeline_uuid === uuid)
      // A failure is what one wants to know of first.
      const failure = scheduled.find(({ kind }) => kind === 'fails')
      const next = failure ?? scheduled[0]
      const underWay = runs.filter(isUnderWay).length
      const failsByScript = [script, ...own.map((each) => each.run_script)].some((each) =>
        typeof each === 'string' ? each.includes('failed') : each?.ends_as === 'failed',
      )
      const isOn: Readonly<Record<PipelineFacts['state'], boolean>> = {
        failed: lastEnded?.status === 'failed',
        failing: failure !== undefined,
        'failing-by-script': failsByScript,
        running: underWay > 0,
        waiting: next !== undefined,
        idle: runs.length > 0,
        'never-run': true,
      }
      const error =
        isOn.failed || isOn.failing
          ? live.lastErrors.value.find(({ pipeline_uuid: of }) => of === uuid)
          : undefined
      return {
        uuid,
        name,
        type,
        state: states.find((state) => isOn[state]) ?? 'never-run',
        runs,
        underWay,
        lastEnded,
        next,
        schedules: own,
        error,
        failsByScript,
      }
    })
    .sort(
      (one, other) =>
        states.indexOf(one.state) - states.indexOf(other.state) || byName.compare(one.name, other.name),
    )
}

/** Returns the block and the last line of an error, without its time and level. */
export function wordsOfError({ line, block_uuid: block }: LastError): string {
  const words = line
    .replace(/^(?:\[[\d:]+\]|\d{4}-\d\d-\d\d[T ][\d:.]+)\s*/, '')
    .replace(/^(?:ERROR|CRITICAL|FATAL):?\s+/, '')
  return block === null || words.startsWith(`${block} `) ? words : `${block}: ${words}`
}

export function waitingOf({ schedules, underWay }: PipelineFacts): string {
  if (underWay > 0) return underWay === 1 ? 'a run is under way' : `${underWay} runs under way`
  if (schedules.length === 0) return 'no schedule'
  const active = schedules.filter(({ status }) => status === 'active')
  if (active.length === 0) return 'schedule inactive'
  const waitsForEvent = active.some(({ schedule_type: type }) => type === 'event')
  return waitsForEvent ? 'waits for an event' : 'waits for a trigger'
}
