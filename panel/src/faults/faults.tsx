import { ActButton, Item, Section, Select } from '../parts/index.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { useQuery } from '../store/use-query.ts'
import { ActiveFaults } from './active-faults.tsx'
import { NewWorld } from './new-world.tsx'
import { Sentence } from './sentence.tsx'

export function Faults() {
  const { live } = usePanel()
  const allOff = live.faults.value.length > 0 && (
    <ActButton as="small" does={act('faults.clear')} message="All faults removed.">
      Remove all
    </ActButton>
  )
  return (
    <div>
      <h1 class="title head">Faults</h1>
      <div class="columns">
        <div class="stack">
          <Sentence />
          <Choices />
        </div>
        <div class="stack">
          <Section title="Active faults and run scripts" aside={allOff}>
            <ActiveFaults />
          </Section>
          <NewWorld />
          <Scenarios />
        </div>
      </div>
    </div>
  )
}

/** The switches for unspecified behavior. */
function Choices() {
  const { runner } = usePanel()
  const choices = useQuery('assumptions', [], (of) => of.assumptions.list()) ?? []
  const switched = choices.filter(({ values }) => values !== undefined)
  if (switched.length === 0) return null
  const other = switched.filter((each) => String(each.value) !== each.values?.[0]).length
  const switchTo = (id: string, value: string) =>
    void runner.perform({ does: act('assumptions.switch', { [id]: value }), message: `Switched ${id}.` })
  return (
    <details>
      <summary>
        <b>Unspecified behavior</b>{' '}
        <span class="lesser">
          {switched.length} choices with a switch, {other === 0 ? 'none' : other} switched
        </span>
      </summary>
      <ul class="rows">
        {switched.map(({ id, choice, values = [], value }) => {
          const select = (
            <Select
              as="button small"
              label={id}
              value={String(value)}
              options={[...values, String(value)]}
              choose={(chosen) => switchTo(id, chosen)}
            />
          )
          return (
            <Item key={id} note={choice} aside={select}>
              <code>{id}</code>
            </Item>
          )
        })}
      </ul>
    </details>
  )
}

/** The scenarios of the mock, each with its description. */
function Scenarios() {
  const scenarios = useQuery('scenarios', [], (of) => of.scenarios.list()) ?? []
  if (scenarios.length === 0) return null
  return (
    <Section title="Scenarios" note="prepared start states">
      <ul class="rows">
        {scenarios.map(({ name, description, parts }) => {
          const start = (
            <ActButton
              as="small"
              title={`Start ${name}`}
              does={act('scenarios.start', name)}
              message={`Scenario ${name} started.`}
            >
              Start
            </ActButton>
          )
          return (
            <Item key={name} note={parts.join(', ')} aside={start}>
              <b>{name}</b>
              <p>{description}</p>
            </Item>
          )
        })}
      </ul>
    </Section>
  )
}
