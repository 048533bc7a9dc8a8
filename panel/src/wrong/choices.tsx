import { useEffect, useState } from 'preact/hooks'
import type { ActiveAssumption } from '../../../src/engine/worlds/assumptions-here.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'

/** What is chosen where the document is silent, and may be chosen otherwise. */
export function Choices() {
  const { live, runner } = usePanel()
  const [choices, setChoices] = useState<readonly ActiveAssumption[]>([])
  const world = live.world.value
  const turn = live.switched.value
  useEffect(() => {
    Promise.resolve(live.of.assumptions.list()).then(setChoices, () => setChoices([]))
  }, [live, world, turn])
  const switched = choices.filter(({ values }) => values !== undefined)
  if (switched.length === 0) return null
  const other = switched.filter((each) => String(each.value) !== each.default).length
  return (
    <details class="choices">
      <summary>
        <b>Where the document is silent</b>{' '}
        <span class="lesser">
          {switched.length} choices with a switch, {other === 0 ? 'none' : other} switched
        </span>
      </summary>
      <ul class="rows">
        {switched.map(({ id, choice, values = [], value }) => (
          <li key={id}>
            <div>
              <code>{id}</code>
              <p class="lesser">{choice}</p>
            </div>
            <select
              class="button small"
              aria-label={id}
              value={String(value)}
              onChange={(event) => {
                void runner.perform(
                  act('assumptions.switch', { [id]: event.currentTarget.value }),
                  `${id} is switched.`,
                )
              }}
            >
              {[...new Set([...values, String(value)])].map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
    </details>
  )
}
