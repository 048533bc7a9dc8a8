import { useEffect, useState } from 'preact/hooks'
import type { WrongServer } from '../../engine/wrong-servers.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'

/** What the server can be as a whole instead of the good one, where it runs by the command. */
export function WrongServers() {
  const { live, desk } = usePanel()
  const [servers, setServers] = useState<readonly WrongServer[]>([])
  useEffect(() => {
    Promise.resolve(live.controls.wrongServers?.list() ?? []).then(setServers, () => setServers([]))
  }, [live])
  if (servers.length === 0) return null
  const on = live.wrongServer.value
  return (
    <section aria-labelledby="wrong-server">
      <div class="section-head">
        <h2 id="wrong-server">Another server</h2>
        <span class="lesser">wrong as a whole, in every world</span>
      </div>
      <p class="wrong-server">
        <select
          class={`button${on === null ? '' : ' cue'}`}
          aria-label="Wrong server"
          value={on?.name ?? ''}
          onChange={(event) => {
            const name = event.currentTarget.value
            void desk.perform(
              act('wrongServers.take', name === '' ? null : name),
              name === '' ? 'The server is the good one again.' : `The server is ${name} from now on.`,
            )
          }}
        >
          <option value="">the good one</option>
          {servers.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </p>
    </section>
  )
}
