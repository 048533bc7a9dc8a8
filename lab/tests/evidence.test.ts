import { expect, it } from 'vitest'
import { type Evidence, evidenceParts } from '../evidence/page.ts'

const survivor = { line: 221, outcome: 'never provoked', detail: '' }
const mutant = 'transition-lost/updateBackfill.status/always'
const evidence: Evidence = {
  date: '2026-01-02',
  seed: 7,
  versions: ['Node 20.19.0'],
  kinds: [
    {
      kind: 'state paths',
      generated: 5,
      detected: 3,
      undetectable: 1,
      survivors: [
        { ...survivor, name: mutant },
        { ...survivor, name: 'other', outcome: 'undetectable', detail: 'No log shows it.' },
      ],
    },
    { kind: 'values', generated: 4, detected: 4, undetectable: 0, survivors: [] },
  ],
  conforming: [
    { name: 'page size: 4', findings: [] },
    { name: 'page size: 7', findings: ['list-logs/paging'] },
  ],
  independent: [{ name: 'sqlite_server.py, login', findings: [] }],
  agreement: [{ section: 'Read logs', same: 8, different: ['logs/totals'] }],
  compared: undefined,
}

it('sums up the mutants, and gives the reason for each that was not detected', () => {
  const page = Object.values(evidenceParts(evidence)).join('\n\n')

  expect(page).toContain('Date: 2026-01-02. Seed: 7. Versions: Node 20.19.0.')
  expect(page).toContain('**7 of 9**. Of the others, 1 ')
  expect(page).toContain('| state paths | 5 | 3 | 1 |\n| values | 4 | 4 | 0 |')
  expect(page).toContain(`| \`${mutant}\` | 221 | No request of the run shows the difference. |`)
  expect(page).toContain('| 221 | No log shows it. |')
})

it('lists each conforming server with a finding, and every independent server', () => {
  const page = Object.values(evidenceParts(evidence)).join('\n\n')

  expect(page).toContain('- 1 of 2 variants of the mock')
  expect(page).toContain('| sqlite_server.py, login | none |\n| page size: 7 | list-logs/paging |')
  expect(page).not.toContain('page size: 4')
})

it('names the rules about which the profile and the real server disagree', () => {
  const page = Object.values(evidenceParts(evidence)).join('\n\n')

  expect(page).toContain('**8 of 9 rules**')
  expect(page).toContain('| Read logs | 8 | logs/totals |')
})

it('reports no comparison if Schemathesis is not installed', () => {
  expect(evidenceParts(evidence).schemathesis).toContain('**No comparison was run.**')
})

it('shows the verdicts of both tools side by side', () => {
  const compared = [
    { kind: 'state paths', name: mutant, verify: false, schemathesis: false },
    { kind: 'values', name: 'drop', verify: true, schemathesis: false },
  ]
  const page = evidenceParts({ ...evidence, compared }).schemathesis

  expect(page).toContain('Both tools tested 2 of the mutants above. `verify` detected 1, Schemathesis 0.')
  expect(page).toContain(`| state paths | \`${mutant}\` | no | no |\n| values | \`drop\` | yes | no |`)
})
