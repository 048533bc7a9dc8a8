import { useState } from 'preact/hooks'
import { Button, Item, Nothing, Section } from '../parts/index.ts'
import { useRequests } from '../store/use-query.ts'
import { countOf } from '../store/words.ts'

type Rules = typeof import('./check-client.ts')

/** The mistakes of the client in the stored requests. It loads the rules and all requests, so it runs on demand. */
export function ClientIssues() {
  const [rules, setRules] = useState<Rules | undefined>(undefined)
  const toggle = async () => setRules(rules === undefined ? await import('./check-client.ts') : undefined)
  const button = (
    <Button as="small" aria-pressed={rules !== undefined} onClick={toggle}>
      Check the client
    </Button>
  )
  return (
    <Section title="Client issues" aside={button}>
      {rules ? <IssueList {...rules} /> : <Nothing>What the application does wrong with the API.</Nothing>}
    </Section>
  )
}

function IssueList({ checkClient }: Rules) {
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
