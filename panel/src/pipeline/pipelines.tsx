import { Zap } from 'lucide'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import {
  endOf,
  isUnderWay,
  type PipelineFacts,
  type ScheduleRecord,
  startOf,
  usePipelines,
} from '../overview/pipeline-facts.ts'
import { PipelineTable, placeOf } from '../overview/pipeline-table.tsx'
import { ActButton, FilterField, Icon, Link, Nothing } from '../parts/index.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { usePage, useTable } from '../store/use-query.ts'
import { countOfAll, durationOf } from '../store/words.ts'
import { Graph } from './graph.tsx'
import { readLanes } from './lanes.ts'
import { OneRun } from './one-run.tsx'
import { blocksInRun, type LogFile, RunLog } from './run-log.tsx'
import { TimeLine } from './time-line.tsx'

export function Pipelines() {
  const { routes } = usePanel()
  const facts = usePipelines()
  const { rest, query } = routes.current.value
  const [uuid] = rest
  const text = (query.text ?? '').toLowerCase()
  if (facts === undefined) return <Nothing>Loading pipelines …</Nothing>
  const opened = facts.find((each) => each.uuid === uuid)
  if (opened !== undefined) return <OnePipeline key={opened.uuid} facts={opened} />
  const found = facts.filter((each) =>
    `${each.name} ${each.uuid} ${each.type} ${each.state}`.toLowerCase().includes(text),
  )
  return (
    <div>
      <div class="row wrap head">
        <h1 class="title">Pipelines</h1>
        <span class="lesser" role="status">
          {uuid === undefined ? countOfAll(found.length, facts.length) : `There is no pipeline ${uuid}.`}
        </span>
        <FilterField
          label="Filter the pipelines"
          placeholder="name, uuid, type, state"
          value={query.text ?? ''}
          write={(next) => routes.filter({ text: next })}
        />
      </div>
      <PipelineTable facts={found} />
    </div>
  )
}

/** Maximum number of runs, blocks or files in one view. */
const limit = 1_000

const noFiles: readonly LogFile[] = []

function OnePipeline({ facts }: { readonly facts: PipelineFacts }) {
  const { live, routes } = usePanel()
  const { uuid, name, type, schedules } = facts
  const own = { where: { pipeline_uuid: uuid }, limit }
  const allRuns = usePage('pipeline_runs', { ...own, reverse: true })?.records
  const runs = allRuns ?? facts.runs
  const blocks = usePage('blocks', own)?.records ?? []
  const backfills = usePage('backfills', own)?.records ?? []
  const record = useTable('pipelines')?.find((each) => each.uuid === uuid)
  const now = live.now.value
  const [, , chosenId, part] = routes.current.value.rest
  const lanes = readLanes(schedules, backfills, runs, now)
  const newest = runs.toSorted(
    (one, other) => endOf(other, now) - endOf(one, now) || startOf(other) - startOf(one),
  )
  const run =
    chosenId === undefined
      ? (newest.find(isUnderWay) ?? newest[0])
      : runs.find(({ id }) => String(id) === chosenId)
  const files = usePage('logs', { where: { pipeline_run_id: run?.id ?? -1 }, limit })?.records ?? noFiles
  const shownBlocks = useMemo(() => blocksInRun(blocks, files), [blocks, files])
  const details = useRef<HTMLDivElement>(null)
  const first = useRef(chosenId)
  useEffect(() => {
    // A page begins at its top.
    if (chosenId !== first.current) details.current?.scrollIntoView({ block: 'nearest' })
  }, [chosenId, run?.id])
  const base = placeOf(uuid)
  const origin = lanes.find((lane) => lane.runs.some(({ id }) => id === run?.id))?.name ?? 'started manually'
  return (
    <div class="stack">
      <div>
        <div class="row wrap head">
          <h1 class="title breaks" dir="auto">
            {name}
          </h1>
          <code class="quiet breaks">{uuid}</code>
          {[type, ...(record?.tags ?? [])].map((tag) => (
            <span key={tag} class="lesser breaks">
              {tag}
            </span>
          ))}
          <span class="row push">
            <Link to={`records/pipelines/${encodeURIComponent(uuid)}`} as="button">
              Edit
            </Link>
            {record !== undefined && (
              <MakeFail uuid={uuid} script={record.run_script} schedules={schedules} />
            )}
          </span>
        </div>
        <p class="soft" dir="auto">
          {record?.description}
        </p>
      </div>
      <Graph blocks={shownBlocks} note={shownBlocks === blocks ? '' : `in run ${run?.id}`} />
      <TimeLine lanes={lanes} runs={runs} chosen={run?.id} base={base} />
      {chosenId !== undefined && allRuns !== undefined && run === undefined && (
        <Nothing>There is no run {chosenId} of this pipeline.</Nothing>
      )}
      {run !== undefined && (
        <div class="duo" ref={details}>
          <OneRun key={run.id} run={run} from={origin} />
          <RunLog key={`log ${run.id}`} run={run} files={files} isLinked={part === 'log'} />
        </div>
      )}
    </div>
  )
}

/** By time, not by reads: it also happens without an application, and the clock can move to it. */
const failsSoon = 'running for 5s, then failed'

interface MakeFailProps {
  readonly uuid: string
  readonly script: unknown
  readonly schedules: readonly ScheduleRecord[]
}

/** Has new runs of a pipeline fail, or at the next press no longer; the list of active faults removes it, too. */
function MakeFail({ uuid, script, schedules }: MakeFailProps) {
  const fails = script === failsSoon
  const nearer = schedules.filter(({ run_script: own }) => own !== null).map(({ name }) => name)
  const others =
    nearer.length === 0 ? '' : `, except those of ${nearer.join(' and ')}, which have their own script`
  return (
    <ActButton
      isPressed={fails}
      does={
        fails
          ? act('update', { plural: 'pipelines', where: { uuid }, key: uuid }, { run_script: null })
          : act('runs.script', { pipeline_uuid: uuid }, failsSoon)
      }
      message={fails ? 'New runs have no script.' : `New runs fail after ${durationOf('5s')}${others}.`}
    >
      <Icon of={Zap} as="icon cue" /> Make new runs fail
    </ActButton>
  )
}
