import { expect, it } from 'vitest'
import { coverageMap } from '../reports/coverage-map.ts'
import { fileReports, terminalReport } from '../reports/index.ts'
import { exitCodeOf, groupByCause, newDeviations, type Report } from '../reports/report.ts'
import type { Exchange } from '../runner/client.ts'
import { excerptOf } from '../runner/excerpt.ts'
import { Secrets } from '../runner/redact.ts'
import { Verdicts } from '../runner/verdicts.ts'

/** Verdicts with nothing in them. */
const newVerdicts = () => new Verdicts({ skips: () => undefined, secrets: new Secrets() })

/** An exchange with a reply of a text. */
function exchange(text: string, path = '/api/pipelines'): Exchange {
  const body: unknown = JSON.parse(text)
  const error = (body as { error?: Record<string, unknown> }).error
  return { method: 'GET', path, text, body, error, httpStatus: 200, curl: 'curl' } as Exchange
}

function reportOf(verdicts: Verdicts): Report {
  const sums = { requests: 1, slowed: 0, milliseconds: 1, waited: 1 }
  const lists = { leftBehind: [], harm: [], gone: [], notes: [], strict: [], choices: verdicts.choices }
  return {
    target: 'http://x',
    run: 'one',
    drawn: { seed: 1, sequences: 7 },
    findings: verdicts.findings(),
    ...sums,
    ...lists,
  }
}

it('tells what is absent from what is null', () => {
  const verdicts = newVerdicts()
  const reply = exchange('{"backfill":{}}')
  verdicts.check('backfill-create/name', false, reply, undefined, { expected: 'mine' })
  verdicts.check('backfill-update/name', false, reply, null, { expected: 'mine' })
  const received = verdicts
    .findings()
    .flatMap(({ rule, verdict }) =>
      verdict.kind === 'failed' ? [[rule.id, verdict.evidence.expected, verdict.evidence.received]] : [],
    )

  expect(received).toEqual([
    ['backfill-create/name', '"mine"', '(absent)'],
    ['backfill-update/name', '"mine"', 'null'],
  ])
})

it.each([
  [
    'Python',
    {
      message: 'Traceback (most recent call last):\n  File "/srv/x.py", line 3, in y\n    z()\nKeyError: 1\n',
    },
    '{"message":"(stack trace) KeyError: 1"}',
  ],
  [
    'Node.js',
    { message: 'TypeError: no\n    at f (/srv/x.js:1:2)\n    at g (/srv/y.js:3:4)' },
    '{"message":"(stack trace) TypeError: no"}',
  ],
  [
    'a list of lines',
    { errors: ['Traceback (most recent call last):', '  File "x.py", line 1, in <module>', 'ValueError: 7'] },
    '{"errors":["(3 lines of a stack trace) ValueError: 7"]}',
  ],
])('cuts a stack trace of %s to its last line', (_, body, expected) => {
  expect(excerptOf(JSON.stringify(body))).toBe(expected)
})

it('groups findings by their cause, what decides first', () => {
  const verdicts = newVerdicts()
  const refused = exchange(
    '{"error":{"code":500,"message":"Out of order."},"status":200}',
    '/api/pipelines/a',
  )
  verdicts.check('pipeline-read/unknown', false, exchange('{}'))
  verdicts.check('pipeline-read/one', false, refused)
  verdicts.check('pipeline-create/stored', false, refused)
  verdicts.check('pipeline-extensions/empty', false, refused)
  const groups = groupByCause(reportOf(verdicts))

  expect(groups.map(({ cause, deviations }) => [cause, deviations.map(({ rule }) => rule.id)])).toEqual([
    [
      'GET /api/pipelines/… answers an error: Out of order.',
      ['pipeline-create/stored', 'pipeline-read/one', 'pipeline-extensions/empty'],
    ],
    ['GET /api/pipelines: {}', ['pipeline-read/unknown']],
  ])
  expect(terminalReport(reportOf(verdicts))).toContain(
    'failed pipeline-create/stored and 2 more for the same reason',
  )
})

it.each([
  ['passed', 0, 'green'],
  ['is broken', 1, 'red'],
  ['is broken, and does not count', 0, 'amber'],
  ['was not judged', 2, 'grey'],
] as const)('colours the line of a rule that %s', (what, code, colour) => {
  const verdicts = newVerdicts()
  const isWeak = what.endsWith('count')
  const rule = isWeak ? 'pipeline-read/schedules-only-when-asked' : 'pipeline-read/schedules-when-asked'
  if (colour !== 'grey') verdicts.check(rule, colour === 'green', exchange('{}'))
  const report = reportOf(verdicts)
  const others = report.findings.filter(({ rule: { id } }) => id === rule)
  const alone = { ...report, findings: others }

  expect(coverageMap(alone).find(({ line }) => line === 280)?.colour).toBe(colour)
  expect(exitCodeOf(alone)).toBe(code)
})

it('shows every line of the document in the page, with no script and nothing from elsewhere', () => {
  const verdicts = newVerdicts()
  verdicts.check('pipeline-new/uuid-hyphens', false, exchange('{"pipeline":{"uuid":"<b>"}}'), '<b>')
  const page = fileReports.html(reportOf(verdicts))

  expect(page).toContain('<div class="row red" id="L62">')
  expect(page).toContain('Hyphens in the name become underscores in the uuid.')
  expect(page).toContain('<pre>&quot;&lt;b&gt;&quot;</pre>')
  expect(page.match(/<div class="row /g)?.length).toBeGreaterThan(280)
  expect(page).not.toMatch(/<script|<link|<img|src=|href="(?!#)|url\(|@import/)
})

it('gives each issue for GitLab a fingerprint of its own, which is the same in the next run', () => {
  const tell = (text: string) => {
    const verdicts = newVerdicts()
    verdicts.check('pipeline-read/one', false, exchange(text))
    verdicts.check('backfill-create/name', false, exchange(text))
    const report = { ...reportOf(verdicts), harm: ['The list is broken.', 'The other list is broken.'] }
    const issues = JSON.parse(fileReports.gitlab(report)) as { fingerprint: string }[]
    return issues.map(({ fingerprint }) => fingerprint)
  }
  const fingerprints = tell('{"pipeline":{"name":"one"}}')

  expect(new Set(fingerprints).size).toBe(fingerprints.length)
  expect(fingerprints.length).toBeGreaterThanOrEqual(4)
  expect(tell('{"pipeline":{"name":"two"}}')).toEqual(fingerprints)
})

it('shows in Markdown nothing of what a server says but in code that it cannot leave', () => {
  const verdicts = newVerdicts()
  const nasty = '``` </details><img src=x> [link](http://y) @everyone'
  verdicts.check('pipeline-read/one', false, exchange(JSON.stringify({ pipeline: { name: nasty } })), nasty)
  const report = { ...reportOf(verdicts), harm: [`\`\`\`\` ${nasty}\n# harm`] }
  const text = fileReports.markdown(report)

  expect(text).toContain(`- \`\`\`\`\` \`\`\`\` ${nasty}\\u000a# harm \`\`\`\`\`\n`)
  const [, fence, inside] = /^(`{4,})text\n([\s\S]*?)\n\1$/m.exec(text)!
  expect(fence).toBe('````')
  expect(inside).toContain(nasty)
})

it('shows in Markdown at most what GitHub takes as a summary', () => {
  const verdicts = newVerdicts()
  verdicts.check('pipeline-read/one', false, exchange('{"pipeline":{}}'))
  const report = reportOf(verdicts)
  const [finding] = newDeviations(report.findings)
  // As many causes as a server with a fault of its own in each reply would have.
  const findings = Array.from({ length: 2_000 }, (_, index) => {
    const evidence = { ...finding!.verdict.evidence, cause: `cause ${index}`, received: 'x'.repeat(1_000) }
    return { ...finding!, verdict: { ...finding!.verdict, evidence } }
  })
  const text = fileReports.markdown({ ...report, findings })

  expect(text.length).toBeGreaterThan(100_000)
  expect(text.length).toBeLessThan(1_000_000)
  expect(text).toMatch(/^And \d+ more causes; the other reports have all of them\.$/m)
})

it('shows each rule that was selected where everything is asked for, and the others together', () => {
  const verdicts = new Verdicts({
    skips: ({ id }) => (id === 'backfill-create/name' ? undefined : '--only'),
    secrets: new Secrets(),
  })
  verdicts.check('backfill-create/name', true, exchange('{"backfill":{}}'))
  const told = terminalReport(reportOf(verdicts), { isVerbose: true }).split('\n')

  expect(told.filter((line) => line.startsWith('  '))).toEqual([
    expect.stringContaining('passed      backfill-create/name: '),
  ])
  expect(told.filter((line) => line.startsWith('not judged'))).toEqual([
    expect.stringContaining('not judged --only (434 rules: '),
  ])
})
