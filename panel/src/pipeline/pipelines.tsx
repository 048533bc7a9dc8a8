import { Zap } from 'lucide'
import type { RecordOf } from '../../../src/resources/records.ts'
import { Link } from '../frame/link.tsx'
import { usePipelines } from '../now/now.tsx'
import { isUnderWay, type PipelineFacts, type Run, type ScheduleRecord } from '../now/pipeline-facts.ts'
import { PipelineTable } from '../now/pipeline-table.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { usePage } from '../store/use-rows.ts'
import { durationOf, wordOf } from '../store/words.ts'
import { Graph } from './graph.tsx'
import { endOf, readLanes, startOf } from './lanes.ts'
import type { GraphBlock } from './lay-out.ts'
import { Log, OneRun } from './one-run.tsx'
import { TimeLine } from './time-line.tsx'

/** All pipelines, or one of them. */
export function Pipelines() {
  const { routes } = usePanel()
  const facts = usePipelines()
  const [uuid] = routes.current.value.rest
  if (facts === undefined) return <p class="nothing waiting">Looking at the pipelines …</p>
  const found = facts.find((each) => each.uuid === uuid)
  if (found !== undefined) return <OnePipeline key={found.uuid} facts={found} />
  return (
    <>
      <div class="head">
        <h1>Pipelines</h1>
        {uuid !== undefined && <span class="lesser">There is no pipeline {uuid}.</span>}
      </div>
      <PipelineTable facts={facts} />
    </>
  )
}

/** As many runs, blocks or files as one view draws. */
const mostRecords = 1_000

/** The records that are asked for; none until they are there. */
function useRecords<Kept>(plural: string, options: Parameters<typeof usePage>[1]): readonly Kept[] {
  return (usePage(plural, options)?.records ?? []) as unknown as readonly Kept[]
}

/** A pipeline: its state in a sentence, its blocks, its runs on a time line, one of them opened. */
function OnePipeline({ facts }: { readonly facts: PipelineFacts }) {
  const { live, routes } = usePanel()
  const { uuid, name, type, schedules, failedBlocks } = facts
  const own = { where: { pipeline_uuid: uuid }, reverse: true, limit: mostRecords }
  const runs = (usePage('pipeline_runs', own)?.records ?? facts.runs) as unknown as readonly Run[]
  const now = live.now.value
  const [, , chosenId, part] = routes.current.value.rest
  const record = live.table('pipelines').value?.find((each) => each.uuid === uuid)
  const blocks = useRecords<GraphBlock>('blocks', { ...own, reverse: false })
  const backfills = useRecords<RecordOf<'backfills'>>('backfills', { ...own, reverse: false })
  const lanes = readLanes(schedules, backfills, runs, now)
  const newest = [...runs].sort(
    (one, other) => endOf(other, now) - endOf(one, now) || startOf(other) - startOf(one),
  )
  const run = runs.find(({ id }) => String(id) === chosenId) ?? newest.find(isUnderWay) ?? newest[0]
  const lastToFail = facts.error?.pipeline_run_id ?? undefined
  const files = [
    ...useRecords<RecordOf<'logs'>>('logs', {
      where: { pipeline_run_id: run?.id ?? -1 },
      limit: mostRecords,
    }),
    ...useRecords<RecordOf<'logs'>>('logs', {
      where: { pipeline_run_id: lastToFail === run?.id ? -1 : (lastToFail ?? -1) },
      limit: mostRecords,
    }),
  ]
  // What an earlier run wrote of a block is over once a later one went well.
  const failedNow = failedBlocks.filter(
    (each) =>
      facts.lastEnded?.status === 'failed' ||
      blocks.some((block) => block.uuid === each && block.status === 'failed'),
  )
  const base = `pipelines/${encodeURIComponent(uuid)}`
  const comesFrom = lanes.find((lane) => lane.runs.some(({ id }) => id === run?.id))?.name ?? 'by hand'
  const tags = Array.isArray(record?.tags) ? (record.tags as string[]) : []
  return (
    <div class="pipeline">
      <div class="head">
        <h1 dir="auto">{name}</h1>
        <code class="quiet">{uuid}</code>
        {[type, ...tags].map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
        <span class="acts push">
          <Link to={`records/pipelines/${encodeURIComponent(uuid)}`} as="button">
            Edit
          </Link>
          {record !== undefined && <MakeFail uuid={uuid} script={record.run_script} schedules={schedules} />}
        </span>
      </div>
      <p class="pipeline-words" dir="auto">
        {typeof record?.description === 'string' && `${record.description} `}
        <Standing blocks={blocks} failed={failedNow} />
      </p>
      <Graph blocks={blocks} />
      <TimeLine lanes={lanes} runs={runs} chosen={run?.id} base={base} />
      {run !== undefined && (
        <div class="duo inspected">
          <OneRun key={run.id} run={run} from={comesFrom} />
          <Log
            key={`log ${run.id}`}
            run={run}
            files={files}
            instead={lastToFail}
            isAskedFor={part === 'log'}
          />
        </div>
      )}
    </div>
  )
}

/** By time, not by reads: somebody who has this page alone sees it happen, and can go to where it does. */
const failsSoon = 'running for 5s, then failed'

/** Has new runs of a pipeline fail, until it is pressed again: then they go as before. */
function MakeFail({
  uuid,
  script,
  schedules,
}: {
  readonly uuid: string
  readonly script: unknown
  readonly schedules: readonly ScheduleRecord[]
}) {
  const { runner } = usePanel()
  const isOn = script === failsSoon
  const record = { plural: 'pipelines', where: { uuid }, key: uuid }
  const nearer = schedules.filter(({ run_script: own }) => own !== null).map(({ name }) => name)
  const others =
    nearer.length === 0 ? '' : `, but for those of ${nearer.join(' and ')}, which has its own script`
  return (
    <ActButton
      isPressed={isOn}
      does={
        isOn
          ? act('update', record, { run_script: runner.replacedScript(record) })
          : act('runs.script', { pipeline_uuid: uuid }, failsSoon)
      }
      says={
        isOn
          ? 'From now on, a new run goes as before.'
          : `From now on, a new run fails after ${durationOf('5s')}${others}.`
      }
    >
      <Icon of={Zap} tone="cue" /> Make new runs fail
    </ActButton>
  )
}

/** Which blocks have failed, and what waits for them. */
function Standing({
  blocks,
  failed,
}: {
  readonly blocks: readonly GraphBlock[]
  readonly failed: readonly string[]
}) {
  if (failed.length === 0) return null
  const { length } = blocks.filter(
    ({ status, upstream_blocks: above }) => status === 'not_executed' && above.length > 0,
  )
  return (
    <>
      <span class="fail">
        {failed.join(', ')} {failed.length === 1 ? 'has' : 'have'} failed
      </span>
      {length > 0 && `; ${length === 1 ? 'one block waits' : `${wordOf(length)} blocks wait`}`}.
    </>
  )
}
