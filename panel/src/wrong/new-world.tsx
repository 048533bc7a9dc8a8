import { useEffect, useState } from 'preact/hooks'
import type { FaultyVariantSummary, ProfileSummary } from '../../../src/engine/worlds/worlds.ts'
import { worldNamePattern, worldNameRule } from '../../../src/shared/world-name.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'

/** Creates a world with a profile or a server-wide bug, and goes to it. */
export function NewWorld() {
  const { live, runner } = usePanel()
  const [profiles, setProfiles] = useState<readonly ProfileSummary[]>([])
  const [variants, setVariants] = useState<readonly FaultyVariantSummary[]>([])
  const [chosen, setChosen] = useState<{ readonly profile?: string; readonly faultyVariant?: string }>({})
  const [name, setName] = useState('')
  useEffect(() => {
    const { worlds } = live.controls
    Promise.resolve(worlds.profiles()).then(setProfiles, () => setProfiles([]))
    Promise.resolve(worlds.faultyVariants()).then(setVariants, () => setVariants([]))
  }, [live])
  if (profiles.length + variants.length === 0) return null
  const main = live.worlds.value.find((world) => world.name === 'main')
  const { profile = main?.profile ?? '', faultyVariant = main?.faultyVariant ?? '' } = chosen
  const create = async () => {
    const options = {
      ...(profile !== (main?.profile ?? '') && { profile: profile || null }),
      ...(faultyVariant !== (main?.faultyVariant ?? '') && { faultyVariant: faultyVariant || null }),
    }
    const outcome = await runner.perform(act('worlds.create', name, options), `World ${name} created.`)
    if (!('value' in outcome)) return
    setName('')
    setChosen({})
    live.world.value = name
  }
  return (
    <section aria-labelledby="new-world">
      <div class="section-head">
        <h2 id="new-world">New world with …</h2>
      </div>
      <form
        class="new-world"
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <Choice
          label="Server-wide bug"
          none="none"
          names={variants.map((each) => each.name)}
          value={faultyVariant}
          choose={(value) => setChosen({ ...chosen, faultyVariant: value })}
        />
        <Choice
          label="Profile"
          none="as specified"
          names={profiles.map((each) => each.name)}
          value={profile}
          choose={(value) => setChosen({ ...chosen, profile: value })}
        />
        <div class="menu-form">
          <label>
            <span class="hidden">Name of the new world</span>
            <input
              placeholder="a name for the world"
              pattern={worldNamePattern}
              title={worldNameRule}
              value={name}
              required
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="button small">
            Create world
          </button>
        </div>
      </form>
    </section>
  )
}

function Choice({
  label,
  none,
  names,
  value,
  choose,
}: {
  readonly label: string
  /** Text of the option that chooses none. */
  readonly none: string
  readonly names: readonly string[]
  readonly value: string
  readonly choose: (name: string) => void
}) {
  if (names.length === 0) return null
  return (
    <select
      class="button"
      aria-label={label}
      value={value}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">
        {label}: {none}
      </option>
      {names.map((name) => (
        <option key={name} value={name}>
          {label}: {name}
        </option>
      ))}
    </select>
  )
}
