import { useEffect, useState } from 'preact/hooks'
import type { ScenarioSummary } from '../../../src/engine/scenarios/scenario.ts'
import { ActButton } from '../parts/act-button.tsx'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'

/** The start states that the understudy was given, each with its sentence. */
export function Scenarios() {
  const { live } = usePanel()
  const [scenarios, setScenarios] = useState<readonly ScenarioSummary[]>([])
  const world = live.world.value
  useEffect(() => {
    Promise.resolve(live.of.scenarios.list()).then(setScenarios, () => setScenarios([]))
  }, [live, world])
  if (scenarios.length === 0) return null
  return (
    <section aria-labelledby="scenarios">
      <div class="section-head">
        <h2 id="scenarios">Scenarios</h2>
        <span class="lesser">a start state with one story</span>
      </div>
      <ul class="rows">
        {scenarios.map(({ name, description, parts }) => (
          <li key={name}>
            <div>
              <b>{name}</b>
              <p>{description}</p>
              <code class="lesser">{parts.join(', ')}</code>
            </div>
            <ActButton
              as="small"
              does={act('scenarios.start', name)}
              says={`Scenario ${name} has begun.`}
              label={`Start ${name}`}
            >
              Start
            </ActButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
