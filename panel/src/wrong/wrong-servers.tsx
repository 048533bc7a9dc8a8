import { useEffect, useState } from 'preact/hooks'
import type { ProfileHere } from '../../../src/engine/profiles-here.ts'
import type { WrongServer } from '../../../src/engine/wrong-servers.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'

/** What the server can be as a whole, where it runs by the command: a real one, by its ways, or a wrong one. */
export function WrongServers() {
  const { live, runner } = usePanel()
  const [servers, setServers] = useState<readonly WrongServer[]>([])
  const [profiles, setProfiles] = useState<readonly ProfileHere[]>([])
  // With a profile come its choices, so whoever has taken one is heard of.
  const turn = live.switched.value
  useEffect(() => {
    Promise.resolve(live.controls.wrongServers?.list() ?? []).then(setServers, () => setServers([]))
  }, [live])
  useEffect(() => {
    Promise.resolve(live.controls.profiles?.list() ?? []).then(setProfiles, () => setProfiles([]))
  }, [live, turn])
  if (servers.length + profiles.length === 0) return null
  const on = live.wrongServer.value
  return (
    <section aria-labelledby="wrong-server">
      <div class="section-head">
        <h2 id="wrong-server">Another server</h2>
        <span class="lesser">as a whole, in every world</span>
      </div>
      <ServerChoice
        label="Wrong server"
        usual="the good one"
        names={servers.map(({ name }) => name)}
        value={on?.name}
        isWrong
        choose={(name) =>
          void runner.perform(
            act('wrongServers.take', name),
            name === null ? 'The server is the good one again.' : `The server is ${name} from now on.`,
          )
        }
      />
      <ServerChoice
        label="Profile"
        usual="the ways of the document"
        names={profiles.map(({ name }) => name)}
        value={profiles.find(({ isOn }) => isOn)?.name}
        choose={(name) =>
          void runner.perform(
            act('profiles.take', name),
            name === null
              ? 'The server has the ways of the document again.'
              : `The server has the ways of ${name} from now on.`,
          )
        }
      />
    </section>
  )
}

function ServerChoice({
  label,
  usual,
  names,
  value,
  isWrong = false,
  choose,
}: {
  readonly label: string
  /** What it is called where none of them is chosen. */
  readonly usual: string
  readonly names: readonly string[]
  readonly value: string | undefined
  readonly isWrong?: boolean
  readonly choose: (name: string | null) => void
}) {
  if (names.length === 0) return null
  return (
    <p class="wrong-server">
      <select
        class={`button${isWrong && value !== undefined ? ' cue' : ''}`}
        aria-label={label}
        value={value ?? ''}
        onChange={(event) => choose(event.currentTarget.value || null)}
      >
        <option value="">{usual}</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </p>
  )
}
