import { useState } from 'preact/hooks'
import type { FaultyVariantSummary } from '../library.ts'
import { FilterField, NameForm, Section, Select } from '../parts/index.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { useQuery, useWorlds } from '../store/use-query.ts'
import { groupBy } from '../store/words.ts'

/** Creates a world with a profile or a server-wide bug, and goes to it. */
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
      <NameForm
        label="Name of the new world"
        placeholder="a name for the world"
        isWorld
        button="Create world"
        action={(name) => ({
          does: act('worlds.create', name, options),
          message: `World ${name} created.`,
          done() {
            setChosen({})
            live.world.value = name
          },
        })}
      />
    </Section>
  )
}

interface VariantsProps {
  readonly variants: readonly FaultyVariantSummary[]
  readonly chosen: string
  readonly choose: (name: string) => void
}

/** Chooses a server-wide bug from a list that is searched, grouped by the part of the API. */
function Variants({ variants, chosen, choose }: VariantsProps) {
  const [text, setText] = useState('')
  const words = text.toLowerCase().split(/\s+/)
  const fitting = variants.filter(({ name, breaks, rule = '' }) => {
    const all = `${name} ${breaks} ${rule}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  const groups = groupBy(fitting, ({ breaks }) => breaks.split('/', 1).join())
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
        <Variant name="" title="none" sub="replies as specified" chosen={chosen} choose={choose} />
        {[...groups].map(([group, members]) => (
          <div key={group}>
            <h3 class="label">{group.replaceAll('-', ' ')}</h3>
            {members.map(({ name, rule }) => (
              <Variant
                key={name}
                name={name}
                title={name}
                sub={rule === undefined ? '' : `Breaks: ${rule}`}
                chosen={chosen}
                choose={choose}
              />
            ))}
          </div>
        ))}
      </div>
    </fieldset>
  )
}

interface VariantProps extends Omit<VariantsProps, 'variants'> {
  readonly name: string
  readonly title: string
  readonly sub: string
}

function Variant({ name, title, sub, chosen, choose }: VariantProps) {
  return (
    <label class="row top">
      <input type="radio" name="variant" checked={name === chosen} onChange={() => choose(name)} />
      <span class="breaks">
        {title} <small class="block">{sub}</small>
      </span>
    </label>
  )
}
