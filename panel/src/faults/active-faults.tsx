import type { ActiveFault } from '../library.ts'
import { ActButton, Item, Nothing } from '../parts/index.ts'
import { act, type NamedRecord } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { useTable, useWorld } from '../store/use-query.ts'
import { durationOf, timeOf, wordOf } from '../store/words.ts'
import { effectOf, isSpent, sentenceOf, whichOf } from './fault-words.ts'

export function ActiveFaults() {
  const { live } = usePanel()
  const faults = live.faults.value
  const scripts = useScripts()
  const faultyVariant = useWorld()?.faultyVariant
  if (faultyVariant === undefined && faults.length + scripts.length === 0)
    return <Nothing>No active faults and no run scripts.</Nothing>
  return (
    <ul class="rows">
      {faultyVariant !== undefined && (
        <Item mark="fault" note="for as long as the world exists">
          This world has the server-wide bug <b>{faultyVariant}</b>
        </Item>
      )}
      {faults.map((fault) => (
        <FaultRow key={fault.id} fault={fault} />
      ))}
      {scripts.map((script) => (
        <ScriptRow key={`${script.record.plural}/${script.record.key}`} {...script} />
      ))}
    </ul>
  )
}

function usedWords(fault: ActiveFault): string {
  const { used, times } = fault
  if (isSpent(fault)) return `used up, applied ${used} of ${times}`
  if (used === 0) return 'not applied yet'
  return `applied ${['', 'once', 'twice'][used] ?? `${wordOf(used)} times`}`
}

function FaultRow({ fault }: { readonly fault: ActiveFault }) {
  const { live } = usePanel()
  const { id } = fault
  const { often, name } = whichOf(fault)
  const last = live.requests.value.find(({ faults }) => faults.includes(id))
  const spent = isSpent(fault)
  const remove = (
    <ActButton
      as="small"
      title={`Remove: ${sentenceOf(fault)}`}
      does={act('faults.remove', id)}
      message="Fault removed."
    >
      Remove
    </ActButton>
  )
  return (
    <Item
      as={spent ? 'quiet' : ''}
      mark={spent ? 'initial' : 'fault'}
      note={usedWords(fault) + (last === undefined ? '' : `, ${timeOf(Date.parse(last.at))}`)}
      aside={remove}
    >
      {often} {name === undefined ? 'request' : <code>{name}</code>} {effectOf(fault)}
    </Item>
  )
}

interface RunScript {
  readonly record: NamedRecord
  readonly name: string
  readonly script: unknown
  readonly ofWhat: string
}

function ScriptRow({ record, name, script, ofWhat }: RunScript) {
  const note = `a script of ${ofWhat}${countsReads(script) ? `; ${aboutReads}` : ''}`
  const remove = (
    <ActButton
      as="small"
      title={`Remove: ${name}`}
      does={act('update', record, { run_script: null })}
      message={`New runs of ${name} have no script.`}
    >
      Remove
    </ActButton>
  )
  return (
    <Item mark="fault" note={note} aside={remove}>
      New runs of <b dir="auto">{name}</b>: {scriptWords(script)}
    </Item>
  )
}

export function useScripts(): RunScript[] {
  const pipelines = (useTable('pipelines') ?? []).map(({ uuid, name, run_script: script }) => {
    return { record: recordOf('pipelines', { uuid }), name, script, ofWhat: 'the pipeline' }
  })
  const schedules = (useTable('pipeline_schedules') ?? []).map(({ id, name, run_script: script }) => {
    return { record: recordOf('pipeline_schedules', { id }), name, script, ofWhat: 'the schedule' }
  })
  return [...pipelines, ...schedules].filter(({ script }) => script !== null)
}

/** Names a record by the only attribute of its key. */
function recordOf(plural: string, where: Readonly<Record<string, unknown>>): NamedRecord {
  return { plural, where, key: Object.values(where).join() }
}

/** Explains that scripts count reads: without an application, nothing happens. */
export const aboutReads = 'a read is a request of the application that shows the run'

function countsReads(script: unknown): boolean {
  return typeof script === 'string' && /\breads?\b/.test(script)
}

function scriptWords(script: unknown): string {
  if (typeof script === 'string') return script.replace(/\b\d+(?:\.\d+)? ?(?:ms|[smhdw])\b/g, durationOf)
  const { ends_as: end = 'completed', after } = Object(script)
  if (end === 'never') return 'running until advanced'
  return after === undefined ? `running, then ${end}` : `running for ${durationOf(after)}, then ${end}`
}

/** Returns how many faults are active, without run scripts: a script may as well complete its runs. */
export function useFaultCount(): number {
  const { live } = usePanel()
  const faults = live.faults.value.filter((fault) => !isSpent(fault))
  return faults.length + (useWorld()?.faultyVariant === undefined ? 0 : 1)
}
