import { useState } from 'preact/hooks'
import { NameForm, Section, Select } from '../parts/index.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { useQuery, useWorlds } from '../store/use-query.ts'

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
    <Section id="new-world" title="New world with …">
      <div class="new-world">
        <Choice
          label="Server-wide bug"
          none="none"
          names={variants.map(({ name }) => name)}
          value={faultyVariant}
          choose={(value) => setChosen({ ...chosen, faultyVariant: value })}
        />
        <Choice
          label="Profile"
          none="as specified"
          names={profiles.map(({ name }) => name)}
          value={profile}
          choose={(value) => setChosen({ ...chosen, profile: value })}
        />
      </div>
      <NameForm
        label="Name of the new world"
        placeholder="a name for the world"
        isWorld
        button="Create world"
        does={(name) => act('worlds.create', name, options)}
        message={(name) => `World ${name} created.`}
        done={(name) => {
          setChosen({})
          live.world.value = name
        }}
      />
    </Section>
  )
}

interface ChoiceProps {
  readonly label: string
  /** The words of the option that chooses none. */
  readonly none: string
  readonly names: readonly string[]
  readonly value: string
  readonly choose: (name: string) => void
}

function Choice({ label, none, names, value, choose }: ChoiceProps) {
  if (names.length === 0) return null
  const options = ['', ...names].map((name) => [name, `${label}: ${name || none}`] as const)
  return <Select as="button" label={label} value={value} options={options} choose={choose} />
}
