import type { ActiveFault } from '../../../src/engine/faults/faults.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Nothing } from '../parts/empty.tsx'
import { Glyph } from '../parts/glyph.tsx'
import { act, type NamedRecord } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { durationOf, timeOf, wordOf } from '../store/words.ts'
import { effectOf, whichOf } from './words-of-faults.ts'

/** What is wrong on purpose: faults, with how often they struck, and scripts of runs; each can be taken off. */
export function OnPurpose() {
  const { live, runner } = usePanel()
  const faults = live.faults.value
  const scripts = useScripts()
  const faultyVariant = live.faultyVariant.value
  if (faultyVariant === undefined && faults.length + scripts.length === 0)
    return <Nothing>Nothing is wrong on purpose.</Nothing>
  return (
    <ul class="rows">
      {faultyVariant !== undefined && (
        <li>
          <Glyph of="purpose" />
          <div>
            This world has the server-wide bug <b>{faultyVariant}</b>
            <p class="lesser">it stays as long as the world does</p>
          </div>
        </li>
      )}
      {faults.map((fault) => (
        <FaultRow key={fault.id} fault={fault} />
      ))}
      {scripts.map(({ record, name, script, ofWhat }) => {
        const before = runner.replacedScript(record)
        return (
          <li key={`${record.plural}/${record.key}`}>
            <Glyph of="purpose" />
            <div>
              New runs of <b dir="auto">{name}</b>: {wordsOfScript(script)}
              <p class="lesser">
                a script of {ofWhat}
                {countsReads(script) && `; ${aboutReads}`}
                {before !== null && `; off, it is again: ${wordsOfScript(before)}`}
              </p>
            </div>
            <ActButton
              as="small"
              does={act('update', record, { run_script: before })}
              says={
                before === null
                  ? `New runs of ${name} go as usual.`
                  : `New runs of ${name}: ${wordsOfScript(before)}, as before.`
              }
              label={`Off: ${name}`}
            >
              Off
            </ActButton>
          </li>
        )
      })}
    </ul>
  )
}

function FaultRow({ fault }: { readonly fault: ActiveFault }) {
  const { live, runner } = usePanel()
  const { id, used, ...rest } = fault
  const { often, name } = whichOf(rest)
  const isSpent = fault.times !== undefined && used >= fault.times
  const last = live.requests.value.find(({ faults }) => faults.includes(id))
  const struck =
    used === 0
      ? 'has not struck yet'
      : used === 1
        ? 'struck once'
        : used === 2
          ? 'struck twice'
          : `struck ${wordOf(used)} times`
  return (
    <li class={isSpent ? 'spent' : ''}>
      <Glyph of={isSpent ? 'initial' : 'purpose'} />
      <div>
        {often} {name === undefined ? 'request' : <code>{name}</code>} {effectOf(rest)}
        <p class="lesser">
          {isSpent ? `done, struck ${used} of ${fault.times}` : struck}
          {last !== undefined && `, ${timeOf(Date.parse(last.at))}`}
        </p>
      </div>
      {isSpent ? (
        <button
          type="button"
          class="button small"
          aria-label={`Again: ${often} ${name ?? 'request'} ${effectOf(rest)}`}
          onClick={async () => {
            await runner.perform(act('faults.remove', id))
            await runner.perform(act('faults.add', rest), 'It goes wrong again.')
          }}
        >
          Again
        </button>
      ) : (
        <ActButton
          as="small"
          does={act('faults.remove', id)}
          says="It goes right again."
          label={`Off: ${often} ${name ?? 'request'} ${effectOf(rest)}`}
        >
          Off
        </ActButton>
      )}
    </li>
  )
}

/** The scripts that later runs go by. */
function useScripts(): {
  readonly record: NamedRecord
  readonly name: string
  readonly script: unknown
  readonly ofWhat: string
}[] {
  const { live } = usePanel()
  return (['pipelines', 'pipeline_schedules'] as const).flatMap((plural) =>
    (live.table(plural).value ?? [])
      .filter(({ run_script: script }) => script !== null && script !== undefined)
      .map(({ uuid, id, name, run_script: script }) => ({
        record:
          plural === 'pipelines'
            ? { plural, where: { uuid }, key: String(uuid) }
            : { plural, where: { id }, key: String(id) },
        name: String(name),
        script,
        ofWhat: plural === 'pipelines' ? 'the pipeline' : 'the schedule',
      })),
  )
}

/** Said where a script counts reads: whoever looks at a panel alone waits for nothing. */
export const aboutReads = 'a read is a request of the application that shows the run'

function countsReads(script: unknown): boolean {
  return typeof script === 'string' && /\breads?\b/.test(script)
}

/** How runs go by a script, in words. */
function wordsOfScript(script: unknown): string {
  if (typeof script === 'string') return script.replace(/\b\d+(?:\.\d+)? ?(?:ms|[smhdw])\b/g, durationOf)
  const { ends_as: end = 'completed', after } = script as { ends_as?: string; after?: string | number }
  if (end === 'never') return 'running until advanced'
  return after === undefined ? `running, then ${end}` : `running for ${durationOf(after)}, then ${end}`
}

/** How many things are wrong on purpose. */
export function usePurposeCount(): number {
  const { live } = usePanel()
  const { length } = useScripts()
  const variants = live.faultyVariant.value === undefined ? 0 : 1
  return (
    variants +
    length +
    live.faults.value.filter(({ used, times }) => times === undefined || used < times).length
  )
}
