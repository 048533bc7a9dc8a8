import { useState } from 'preact/hooks'
import { ActButton } from '../parts/act-button.tsx'
import { codeOf, curlOf } from '../store/act-code.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import {
  type Draft,
  type EffectName,
  effects,
  type Frequency,
  faultOf,
  firstDraft,
  frequencies,
  mayRun,
  ready,
} from './draft.ts'

/** The sentence that is filled in, its call, and others to begin with. */
export function Sentence() {
  const { live, runner, origin } = usePanel()
  const [draft, setDraft] = useState<Draft>(firstDraft)
  const [isForRecord, setForRecord] = useState(false)
  const set = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }))
  const asks = effects[draft.effect].asks
  const adds = act('faults.add', faultOf(isForRecord ? draft : { ...draft, plural: '', key: '' }))
  const world = live.world.value
  const groups = live.resources.value.filter(({ operations }) => operations.length > 0)
  return (
    <>
      <section aria-labelledby="make-wrong">
        <div class="section-head">
          <h2 id="make-wrong">Make something go wrong</h2>
          <span class="lesser">in world {world}</span>
        </div>
        <div class="sentence">
          <Choice
            label="How often"
            value={draft.often}
            options={Object.entries(frequencies).map(([value, { words }]) => [value, words])}
            choose={(often) => set({ often: often as Frequency })}
          />{' '}
          request to{' '}
          <span class="sentence-field">
            <select
              aria-label="Operation"
              value={draft.operation}
              onChange={(event) => set({ operation: event.currentTarget.value })}
            >
              <option value="">anything</option>
              {groups.map(({ plural, operations }) => (
                <optgroup key={plural} label={plural}>
                  {operations.map(({ id }) => (
                    <option key={id} value={id}>
                      {id}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          </span>{' '}
          {isForRecord && (
            <>
              of{' '}
              <Choice
                label="Resource of the record"
                value={draft.plural}
                options={[
                  ['', 'which resource?'],
                  ...groups.map(({ plural }): [string, string] => [plural, plural]),
                ]}
                choose={(plural) => set({ plural })}
              />{' '}
              <Text
                label="Key of the record"
                value={draft.key}
                placeholder="key"
                fill={(key) => set({ key })}
              />{' '}
            </>
          )}
          <Choice
            label="What happens"
            value={draft.effect}
            options={Object.entries(effects).map(([value, { words }]) => [value, words])}
            choose={(effect) => set({ effect: effect as EffectName })}
          />{' '}
          {asks === 'error' && (
            <>
              <Text label="Code" value={draft.code} fill={(code) => set({ code })} />{' '}
              <Text label="Type" value={draft.type} placeholder="type" fill={(type) => set({ type })} />,
              saying{' '}
              <Text
                label="Message"
                value={draft.message}
                placeholder="a message"
                fill={(message) => set({ message })}
              />
            </>
          )}
          {asks === 'status' && (
            <Text label="HTTP status" value={draft.code} fill={(code) => set({ code })} />
          )}
          {asks === 'duration' && (
            <Text label="How long" value={draft.duration} fill={(duration) => set({ duration })} />
          )}
          {mayRun(draft) && (
            <>
              {' '}
              and{' '}
              <Choice
                label="Whether it is done"
                value={draft.runs ? 'yes' : 'no'}
                options={[
                  ['no', 'nothing is written'],
                  ['yes', 'it is done all the same'],
                ]}
                choose={(runs) => set({ runs: runs === 'yes' })}
              />
            </>
          )}
          .
        </div>
        <div class="acts">
          <ActButton as="primary" does={adds} says="It goes wrong from now on.">
            Add this
          </ActButton>
          <button
            type="button"
            class="button"
            aria-pressed={isForRecord}
            onClick={() => setForRecord(!isForRecord)}
          >
            Only for one record
          </button>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
        <pre class="code" tabIndex={0}>
          {runner.language.value === 'curl' ? curlOf(adds, world, origin) : `await ${codeOf(adds, world)}`}
        </pre>
      </section>
      <section aria-labelledby="ready-wrong">
        <div class="section-head">
          <h2 id="ready-wrong">Or one of these</h2>
          <span class="lesser">each fills in the sentence above</span>
        </div>
        <ul class="ways">
          {ready.map(({ title, sub, draft: changes }) => (
            <li key={title}>
              <button
                type="button"
                onClick={() => {
                  setForRecord(false)
                  setDraft({ ...firstDraft, ...changes })
                }}
              >
                <b>{title}</b>
                <small>{sub}</small>
              </button>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

function Choice({
  label,
  value,
  options,
  choose,
}: {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, words: string])[]
  readonly choose: (value: string) => void
}) {
  return (
    <span class="sentence-field">
      <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {options.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
    </span>
  )
}

function Text({
  label,
  value,
  fill,
  placeholder = '',
}: {
  readonly label: string
  readonly value: string
  readonly fill: (value: string) => void
  readonly placeholder?: string
}) {
  return (
    <input
      aria-label={label}
      value={value}
      placeholder={placeholder}
      size={Math.max(value.length, placeholder.length, 2)}
      onInput={(event) => fill(event.currentTarget.value)}
    />
  )
}
