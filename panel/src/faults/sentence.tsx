import { useState } from 'preact/hooks'
import { keysOf } from '../library.ts'
import { ActButton, Code, type Option, Section, Select } from '../parts/index.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { type Draft, faultOf, firstDraft, frequencies, mayRun, methods, readyDrafts } from './draft.ts'
import { effects, sentenceOf } from './fault-words.ts'

function optionsOf<Name extends string>(table: Readonly<Record<Name, { readonly words: string }>>) {
  return keysOf(table).map((name): Option<Name> => [name, table[name].words])
}

export function Sentence() {
  const { live, runner } = usePanel()
  const [draft, setDraft] = useState<Draft>(firstDraft)
  const adds = act('faults.add', faultOf(draft))
  return (
    <>
      <Section title="Inject a fault" note={`in world ${live.world.value}`}>
        <Blanks draft={draft} set={(changes) => setDraft((before) => ({ ...before, ...changes }))} />
        <ActButton as="primary" does={adds} message="Fault added.">
          Add fault
        </ActButton>
        <Code>{runner.textOf(adds)}</Code>
      </Section>
      <Section title="Templates" note="each fills in the sentence above">
        <ul class="rows tiles">
          {readyDrafts.map(({ title, draft: changes }) => (
            <li key={title}>
              <button type="button" onClick={() => setDraft({ ...firstDraft, ...changes })}>
                <b class="block">{title}</b>
                <small>{sentenceOf(faultOf({ ...firstDraft, ...changes }))}</small>
              </button>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

interface BlanksProps {
  readonly draft: Draft
  readonly set: (changes: Partial<Draft>) => void
}

function Blanks({ draft, set }: BlanksProps) {
  const { live } = usePanel()
  const { input } = effects[draft.effect]
  const groups = live.resources.value.filter(({ operations }) => operations.length > 0)
  const blank = (name: 'key' | 'code' | 'type' | 'message' | 'duration', label: string, placeholder = '') => (
    <input
      aria-label={label}
      value={draft[name]}
      placeholder={placeholder}
      size={Math.max(draft[name].length, placeholder.length, 2)}
      onInput={(event) => set({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <div class="sentence">
      <Select
        label="How often"
        value={draft.often}
        options={optionsOf(frequencies)}
        choose={(often) => set({ often })}
      />
      request to
      <Select
        label="Operation"
        value={draft.operation}
        options={[
          ['', 'anything'],
          ...methods.map((method): Option => [method, `${method} anything`]),
          ...groups.flatMap(({ operations }) => operations.map(({ id }) => id)),
        ]}
        choose={(operation) => set({ operation })}
      />
      for
      <Select
        label="Resource of the record"
        value={draft.plural}
        options={[['', 'any record'], ...groups.map(({ plural }) => plural)]}
        choose={(plural) => set({ plural, key: '' })}
      />
      {draft.plural !== '' && blank('key', 'Key of the record', 'key')}
      <Select
        label="What happens"
        value={draft.effect}
        options={optionsOf(effects)}
        choose={(effect) => set({ effect })}
      />
      {input === 'error' && (
        <>
          {blank('code', 'Code')}
          {blank('type', 'Type', 'type')}
          with the message
          {blank('message', 'Message', 'a message')}
        </>
      )}
      {input === 'status' && blank('code', 'HTTP status')}
      {input === 'duration' && blank('duration', 'How long')}
      {mayRun(draft) && (
        <>
          and
          <Select
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
    </div>
  )
}
