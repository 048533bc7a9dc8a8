import { useState } from 'preact/hooks'
import type { FaultyVariantSummary } from '../library.ts'
import { FilterField, Section, Select, WorldForm } from '../parts/index.ts'
import { usePanel } from '../store/panel.ts'
import { useQuery, useWorlds } from '../store/use-query.ts'
import { groupBy } from '../store/words.ts'

export function NewWorld() {
  const { live } = usePanel()
  const { worlds } = live.controls
  const profiles = useQuery('worlds', ['profiles'], () => worlds.profiles()) ?? []
  const variants = useQuery('worlds', ['faulty variants'], () => worlds.faultyVariants()) ?? []
  const [chosen, setChosen] = useState<{ readonly profile?: string; readonly faultyVariant?: string }>({})
  const main = useWorlds().find(({ name }) => name === 'main')
  if (profiles.length + variants.length === 0) return null
  const { profile = main?.profile ?? '', faultyVariant = main?.faultyVariant ?? '' } = chosen
  const options = {
    ...(profile !== (main?.profile ?? '') && { profile: profile || null }),
    ...(faultyVariant !== (main?.faultyVariant ?? '') && { faultyVariant: faultyVariant || null }),
  }
  return (
    <Section title="New world with …">
      {profiles.length > 0 && (
        <>
          <h3 class="label">Profile</h3>
          <Select
            as="button"
            label="Profile"
            value={profile}
            options={[['', 'as specified'], ...profiles.map(({ name }) => name)]}
            choose={(value) => setChosen({ ...chosen, profile: value })}
          />
        </>
      )}
      {variants.length > 0 && (
        <Variants
          variants={variants}
          chosen={faultyVariant}
          choose={(value) => setChosen({ ...chosen, faultyVariant: value })}
        />
      )}
      <WorldForm options={options} done={() => setChosen({})} />
    </Section>
  )
}

interface VariantsProps {
  readonly variants: readonly FaultyVariantSummary[]
  readonly chosen: string
  readonly choose: (name: string) => void
}

/** Chooses a faulty variant from a list with search, grouped by the part of the API. */
function Variants({ variants, chosen, choose }: VariantsProps) {
  const [text, setText] = useState('')
  const words = text.toLowerCase().split(/\s+/)
  const fitting = variants.filter(({ name, breaks, rule = '' }) => {
    const all = `${name} ${breaks} ${rule}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  const groups = groupBy(fitting, ({ breaks }) => breaks.split('/', 1).join())
  const variant = (name: string, words: string) => (
    <label key={name} class="row top">
      <input type="radio" name="variant" checked={name === chosen} onChange={() => choose(name)} />
      <span class="breaks">
        {name || 'none'} <small class="block">{words}</small>
      </span>
    </label>
  )
  return (
    <fieldset>
      <legend class="label">Server-wide bug</legend>
      <FilterField
        label="Search the server-wide bugs"
        placeholder={`search ${variants.length} bugs`}
        value={text}
        write={setText}
      />
      <div class="variants scroll">
        {variant('', 'replies as specified')}
        {[...groups].map(([group, members]) => (
          <div key={group}>
            <h3 class="label">{group.replaceAll('-', ' ')}</h3>
            {members.map(({ name, rule }) => variant(name, rule === undefined ? '' : `Breaks: ${rule}`))}
          </div>
        ))}
      </div>
    </fieldset>
  )
}
