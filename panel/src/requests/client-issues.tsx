import { useState } from 'preact/hooks'
import { Button, Item, Nothing, Section } from '../parts/index.ts'
import { useRequests } from '../store/use-query.ts'
import { countOf } from '../store/words.ts'
import { checkClient } from './check-client.ts'

/** The mistakes of the client in the stored requests. It reads all of them, so somebody has to ask. */
export function ClientIssues() {
  const [isOn, setIsOn] = useState(false)
  const button = (
    <Button as="small" aria-pressed={isOn} onClick={() => setIsOn(!isOn)}>
      Check the client
    </Button>
  )
  return (
    <Section title="Client issues" aside={button}>
      {isOn ? <IssueList /> : <Nothing>What the application does wrong with the API.</Nothing>}
    </Section>
  )
}

function IssueList() {
  const issues = checkClient(useRequests(true))
  if (issues.length === 0) return <Nothing>The client does nothing wrong in the stored requests.</Nothing>
  return (
    <ul class="rows">
      {issues.map(({ rule, request, reason, fix, count }) => (
        <Item key={`${rule} ${request} ${reason}`} mark="failed" note={fix} aside={countOf(count, 'request')}>
          <b>{rule}</b> <code>{request}</code>
          <p>{reason}</p>
        </Item>
      ))}
    </ul>
  )
}
