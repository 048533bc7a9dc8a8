import type { ActiveFault } from '../library.ts'
import { ActButton, Button, Glyph, Nothing } from '../parts/index.ts'
import { act, type NamedRecord } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { useTable, useWorld } from '../store/use-query.ts'
import { durationOf, timeOf, wordOf } from '../store/words.ts'
import { effectOf, whichOf } from './fault-words.ts'

/** The list of what is on: faults, with how often they applied, and scripts of runs; each can be taken off. */
export function ActiveFaults() {
  const { live } = usePanel()
  const faults = live.faults.value
  const scripts = useScripts()
  const faultyVariant = useWorld()?.faultyVariant
  if (faultyVariant === undefined && faults.length + scripts.length === 0)
    return <Nothing>No active faults.</Nothing>
  return (
    <ul class="rows">
      {faultyVariant !== undefined && (
        <li>
          <Glyph of="fault" />
          <div>
            This world has the server-wide bug <b>{faultyVariant}</b>
            <p class="lesser">for as long as the world exists</p>
          </div>
        </li>
      )}
      {faults.map((fault) => (
        <FaultRow key={fault.id} fault={fault} />
      ))}
      {scripts.map((script) => (
        <ScriptRow key={`${script.record.plural}/${script.record.key}`} of={script} />
      ))}
    </ul>
  )
}

function usedWords(used: number): string {
  if (used === 0) return 'not applied yet'
  return `applied ${['', 'once', 'twice'][used] ?? `${wordOf(used)} times`}`
}

function FaultRow({ fault: { id, used, ...rest } }: { readonly fault: ActiveFault }) {
  const { live, runner } = usePanel()
  const { often, name } = whichOf(rest)
  const effect = effectOf(rest)
  const words = `${often} ${name ?? 'request'} ${effect}`
  const isSpent = rest.times !== undefined && used >= rest.times
  const last = live.requests.value.find(({ faults }) => faults.includes(id))
  const repeat = async () => {
    await runner.perform(act('faults.remove', id))
    await runner.perform(act('faults.add', rest), 'Fault added again.')
  }
  return (
    <li class={isSpent ? 'quiet' : ''}>
      <Glyph of={isSpent ? 'initial' : 'fault'} />
      <div>
        {often} {name === undefined ? 'request' : <code>{name}</code>} {effect}
        <p class="lesser">
          {isSpent ? `used up, applied ${used} of ${rest.times}` : usedWords(used)}
          {last !== undefined && `, ${timeOf(Date.parse(last.at))}`}
        </p>
      </div>
      {isSpent ? (
        <Button as="small" aria-label={`Repeat: ${words}`} onClick={repeat}>
          Repeat
        </Button>
      ) : (
        <ActButton
          as="small"
          does={act('faults.remove', id)}
          message="Fault removed."
          label={`Remove: ${words}`}
        >
          Remove
        </ActButton>
      )}
    </li>
  )
}

/** A script that later runs go by. */
interface RunScript {
  readonly record: NamedRecord
  readonly name: string
  readonly script: unknown
  readonly ofWhat: string
}

function ScriptRow({ of: { record, name, script, ofWhat } }: { readonly of: RunScript }) {
  const { runner } = usePanel()
  const before = runner.replacedScript(record)
  return (
    <li>
      <Glyph of="fault" />
      <div>
        New runs of <b dir="auto">{name}</b>: {scriptWords(script)}
        <p class="lesser">
          a script of {ofWhat}
          {countsReads(script) && `; ${aboutReads}`}
          {before !== null && `; removed, it is again: ${scriptWords(before)}`}
        </p>
      </div>
      <ActButton
        as="small"
        does={act('update', record, { run_script: before })}
        message={
          before === null
            ? `New runs of ${name} have no script.`
            : `New runs of ${name}: ${scriptWords(before)}.`
        }
        label={`Remove: ${name}`}
      >
        Remove
      </ActButton>
    </li>
  )
}

function useScripts(): RunScript[] {
  const pipelines = (useTable('pipelines') ?? []).map(({ uuid, name, run_script: script }) => {
    const record = { plural: 'pipelines', where: { uuid }, key: uuid }
    return { record, name, script, ofWhat: 'the pipeline' }
  })
  const schedules = (useTable('pipeline_schedules') ?? []).map(({ id, name, run_script: script }) => {
    const record = { plural: 'pipeline_schedules', where: { id }, key: String(id) }
    return { record, name, script, ofWhat: 'the schedule' }
  })
  return [...pipelines, ...schedules].filter(({ script }) => script !== null)
}

/** Explains scripts that count reads: whoever uses the panel alone waits for nothing. */
export const aboutReads = 'a read is a request of the application that shows the run'

function countsReads(script: unknown): boolean {
  return typeof script === 'string' && /\breads?\b/.test(script)
}

/** Describes how runs go by a script. */
function scriptWords(script: unknown): string {
  if (typeof script === 'string') return script.replace(/\b\d+(?:\.\d+)? ?(?:ms|[smhdw])\b/g, durationOf)
  const { ends_as: end = 'completed', after } = Object(script)
  if (end === 'never') return 'running until advanced'
  return after === undefined ? `running, then ${end}` : `running for ${durationOf(after)}, then ${end}`
}

/** Counts the active faults, scripts and faulty variants. */
export function useFaultCount(): number {
  const { live } = usePanel()
  const faults = live.faults.value.filter(({ used, times }) => times === undefined || used < times)
  return useScripts().length + faults.length + (useWorld()?.faultyVariant === undefined ? 0 : 1)
}
