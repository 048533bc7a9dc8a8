import { expect, it } from 'vitest'
import { coverageMap } from '../reports/coverage-map.ts'
import { fileReports, terminalReport } from '../reports/index.ts'
import { exitCodeOf, newDeviations, type Report, summarize, totalNames } from '../reports/report.ts'
import { rules } from '../rules/index.ts'
import type { Exchange } from '../runner/client.ts'
import { excerptOf } from '../runner/excerpt.ts'
import { Secrets } from '../runner/redact.ts'
import { evidenceOf, Verdicts } from '../runner/verdicts.ts'

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
    command: 'verify http://x',
    version: '1.0.0',
    drawn: { seed: 1, sequences: 7 },
    findings: verdicts.findings(),
    ...sums,
    ...lists,
  }
}

it('distinguishes an absent value from null', () => {
  const verdicts = newVerdicts()
  const reply = exchange('{"backfill":{}}')
  const expected = { name: 'mine' }
  verdicts.check('create-backfill/values', false, reply, { name: undefined }, { expected })
  verdicts.check('update-backfill/values', false, reply, { name: null }, { expected })
  const received = verdicts
    .findings()
    .flatMap(({ rule, verdict }) =>
      verdict.kind === 'failed' ? [[rule.id, verdict.evidence.expected, verdict.evidence.received]] : [],
    )

  expect(received).toEqual([
    ['create-backfill/values', '"name": "mine"', '(absent)'],
    ['update-backfill/values', '"name": "mine"', '"name": null'],
  ])
})

it.each([
  ['count', { next: false }],
  ['next', { count: 1 }],
] as const)('names %s if the metadata of a list lack it', (member, metadata) => {
  const verdicts = newVerdicts()
  const text = JSON.stringify({ pipeline_schedules: [], metadata })
  const reply = exchange(text, '/api/pipelines/a/pipeline_schedules')
  verdicts.check(`list-metadata/${member}`, false, reply, metadata)
  const headlines = newDeviations(verdicts.findings()).map(({ evidence }) => evidence.headline)

  expect(headlines).toEqual([`Read pipeline schedules: ${member} is missing`])
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

it.each([
  {
    rule: 'list-backfills/paging',
    received: ['3', '4'],
    expected: ['3', '5'],
    shown: ['Read backfills shows backfill 4 instead of backfill 5', '["5"]', '["4"]'],
    line: 457,
  },
  {
    rule: 'list-backfills/complete',
    received: ['3', '4'],
    expected: ['3'],
    shown: ['Read backfills shows backfill 4, which does not belong there', '(none)', '["4"]'],
    line: 328,
  },
  {
    rule: 'list-backfills/attributes',
    received: { absent: ['metrics'] },
    shown: ['Read backfills: metrics is missing', 'the attribute "metrics"', '(absent)'],
    line: 135,
  },
  {
    rule: 'create-backfill/unchanged-neighbours',
    received: { interval_units: 2 },
    expected: { interval_units: 1 },
    shown: [
      'Read backfills: interval_units is 2 instead of 1 in another record after Create backfill',
      '"interval_units": 1',
      '"interval_units": 2',
    ],
    line: 220,
  },
] as const)('reduces a difference of $rule to what a person must see', ({ rule, shown, line, ...values }) => {
  const verdicts = newVerdicts()
  const reply = exchange('{"backfills":[]}', '/api/backfills?pipeline_uuid=a')
  verdicts.check(
    rule,
    false,
    reply,
    values.received,
    'expected' in values ? { expected: values.expected } : {},
  )
  const [evidence] = newDeviations(verdicts.findings()).map((deviation) => deviation.evidence)

  expect([evidence?.headline, evidence?.expected, evidence?.received]).toEqual(shown)
  expect(evidence?.sentence.line).toBe(line)
})

it('groups a refused creation with the record that is there all the same', () => {
  const verdicts = newVerdicts()
  const body = { block: { name: 'load users', type: 'sensor' } }
  const refused = exchange('{"error":{"code":400,"message":"No."},"status":200}', '/api/pipelines/a/blocks')
  verdicts.check('create-block/accepted', false, { ...refused, method: 'POST', requestBody: body })
  const listed = exchange('{"pipeline":{"blocks":[{"uuid":"load_users"}]}}', '/api/pipelines/a')
  const extra = { expected: 'no block of this uuid' }
  verdicts.check('create-block/unchanged-neighbours', false, listed, { uuid: 'load_users' }, extra)

  expect(summarize(reportOf(verdicts)).groups.map(({ first }) => first.evidence.headline)).toEqual([
    'Create block answers with error 400 No',
  ])
})

it('groups rules that fail for one reason, the clearest first', () => {
  const verdicts = newVerdicts()
  const refused = exchange(
    '{"error":{"code":500,"message":"Out of order."},"status":200}',
    '/api/pipelines/a',
  )
  verdicts.check('read-pipeline/refuses', false, exchange('{}', '/api/pipelines/b'))
  verdicts.check('read-pipeline/values', false, refused)
  verdicts.check('create-pipeline/read-back', false, refused)
  verdicts.check('pipeline-extensions/empty', false, refused)
  const { groups } = summarize(reportOf(verdicts))

  expect(groups.map(({ first, all, fails }) => [first.evidence.headline, all.length, fails])).toEqual([
    ['Read one pipeline answers with error 500 Out of order after Create pipeline', 3, true],
    ['Read one pipeline accepts a request for an unknown record, or with parts that do not match', 1, false],
  ])
})

it('groups the findings of several rules by attribute', () => {
  const verdicts = newVerdicts()
  const reply = exchange('{"backfill":{"name":"other","interval_units":1}}', '/api/backfills/7')
  verdicts.check('update-backfill/read-back', false, reply, { name: 'other' }, { expected: { name: 'mine' } })
  verdicts.check('update-backfill/values', false, reply, { name: 'other' }, { expected: { name: 'mine' } })
  verdicts.check(
    'update-backfill/values',
    false,
    reply,
    { interval_units: 1 },
    { expected: { interval_units: 6 } },
  )
  const { groups } = summarize(reportOf(verdicts))

  expect(groups.map(({ first }) => first.evidence.headline)).toEqual([
    expect.stringMatching(/: name is "other" instead of "mine"/),
    expect.stringMatching(/: interval_units is 1 instead of 6/),
  ])
})

it('shows the same totals in every format, and they add up', () => {
  const verdicts = newVerdicts()
  verdicts.check('create-backfill/values', false, exchange('{"backfill":{"name":"a"}}'), 'a', {
    expected: 'b',
  })
  verdicts.check('trigger/variables', false, exchange('{"pipeline_run":{}}'), { a: 1 }, { expected: {} })
  // In one finding with the first.
  verdicts.check('create-backfill/refuses', false, exchange('{"backfill":{"name":"a"}}'))
  verdicts.check('read-pipeline/values', true, exchange('{}'))
  verdicts.notReached(['list-logs/envelope'], 'No pipeline has logs.', 'need')
  verdicts.flaky('create-pipeline/values', { exchange: exchange('{"pipeline":{"blocks":null}}') })
  const report = reportOf(verdicts)
  const findings = report.findings.map((finding) =>
    finding.rule.id === 'create-backfill/read-back' ? { ...finding, verdict: known(failed()) } : finding,
  )
  const whole = { ...report, findings }
  const { totals, totalsLine } = summarize(whole)
  const numbers = totalNames.map((name) => totals[name])
  const html = fileReports.html(whole)
  const junit = fileReports.junit(whole)
  const markdown = fileReports.markdown(whole)

  expect(totals).toMatchObject({ passed: 1, failed: 1, departs: 2, known: 1, flaky: 1 })
  expect(summarize(whole).groups).toHaveLength(2)
  expect(numbers.reduce((sum, each) => sum + each, 0)).toBe(totals.rules)
  expect(totals.rules).toBe(findings.length)
  expect(terminalReport(whole).replaceAll('\n', ' ').split(totalsLine).length - 1).toBe(2)
  expect(JSON.parse(fileReports.json(whole)).totals).toEqual(totals)
  expect([...html.matchAll(/<li class="\w+"><b>(\d+)<\/b>/g)].map(([, many]) => Number(many))).toEqual(
    numbers,
  )
  expect(
    [...junit.matchAll(/property name="(\w+)" value="(\d+)"/g)].map(([, , many]) => Number(many)),
  ).toEqual(numbers)
  const sum = (attribute: string) =>
    [...junit.matchAll(new RegExp(`<testsuite name="(?!Run")[^>]* ${attribute}="(\\d+)"`, 'g'))].reduce(
      (all, [, many]) => all + Number(many),
      0,
    )
  expect([sum('tests'), sum('failures')]).toEqual([totals.rules, totals.failed])
  expect(sum('skipped')).toBe(totals.rules - totals.failed - totals.passed)
  expect(markdown).toContain(`| ${totals.rules} | ${numbers.join(' | ')} |`)
  expect(fileReports.github(whole)).toContain(`::${totalsLine}\n`)
  expect(JSON.parse(fileReports.gitlab(whole))[0].description).toContain(totalsLine)
  expect(JSON.parse(fileReports.sarif(whole)).runs[0].properties.totals).toEqual(totals)
})

function known(verdict: ReturnType<typeof failed>) {
  return { ...verdict, evidence: { ...verdict.evidence, known: 'Known.' } }
}

/** A verdict of a failed rule. */
function failed() {
  const verdicts = newVerdicts()
  const received = { pipeline_uuid: 'other' }
  verdicts.check('create-backfill/values', false, exchange('{"backfill":{}}'), received)
  const [evidence] = verdicts.findings().flatMap(evidenceOf)
  return { kind: 'failed' as const, evidence: evidence!, further: [] }
}

it('shows a finding in at most twelve lines of eighty columns', () => {
  const verdicts = newVerdicts()
  const long = 'x'.repeat(700)
  const reply = {
    ...exchange(`{"backfill":{"name":"${long}"}}`),
    curl: `curl -s -d '{"name":"${long}"}' 'http://x'`,
  }
  verdicts.check('create-backfill/values', false, reply, { name: long }, { expected: { name: `${long}y` } })
  const lines = terminalReport(reportOf(verdicts)).split('\n')
  const start = lines.findIndex((line) => line.startsWith('1. '))

  expect(lines.indexOf('', start) - start).toBeLessThanOrEqual(12)
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
})

it.each([
  ['passed', 0, 'green'],
  ['fails', 1, 'red'],
  ['fails and does not count', 0, 'amber'],
  ['was not checked', 2, 'grey'],
] as const)('colors the line of a rule that %s', (what, code, colour) => {
  const verdicts = newVerdicts()
  const isWeak = what.endsWith('count')
  const rule = isWeak ? 'pipeline-read/schedules-only-when-asked' : 'read-pipeline/triggers'
  if (colour !== 'grey') verdicts.check(rule, colour === 'green', exchange('{}'))
  const report = reportOf(verdicts)
  const others = report.findings.filter(({ rule: { id } }) => id === rule)
  const alone = { ...report, findings: others }

  expect(coverageMap(alone).find(({ line }) => line === 280)?.colour).toBe(colour)
  expect(exitCodeOf(alone)).toBe(code)
})

it('shows every line of the specification in the page, without external resources', () => {
  const verdicts = newVerdicts()
  verdicts.check('pipeline-fields/uuid', false, exchange('{"pipeline":{"uuid":"<b>"}}'), '<b>')
  const page = fileReports.html(reportOf(verdicts))

  expect(page).toContain('<div class="row red" id="L62">')
  expect(page).toContain('Hyphens in the name become underscores in the uuid.')
  expect(page).toContain('<pre>&quot;uuid&quot;: &quot;&lt;b&gt;&quot;</pre>')
  expect(page.match(/<div class="row /g)?.length).toBeGreaterThan(280)
  expect(page).not.toMatch(/<link|<img|src=|href="(?!#)|url\(|@import/)
})

it('gives each GitLab issue a unique fingerprint that is stable between runs', () => {
  const fingerprintsOf = (text: string) => {
    const verdicts = newVerdicts()
    verdicts.check('read-pipeline/values', false, exchange(text))
    verdicts.check('create-backfill/values', false, exchange(text))
    const report = { ...reportOf(verdicts), harm: ['The list is broken.', 'The other list is broken.'] }
    const issues = JSON.parse(fileReports.gitlab(report)) as { fingerprint: string }[]
    return issues.map(({ fingerprint }) => fingerprint)
  }
  const fingerprints = fingerprintsOf('{"pipeline":{"name":"one"}}')

  expect(new Set(fingerprints).size).toBe(fingerprints.length)
  expect(fingerprints.length).toBeGreaterThanOrEqual(4)
  expect(fingerprintsOf('{"pipeline":{"name":"two"}}')).toEqual(fingerprints)
})

it('shows text of a server in Markdown only as code', () => {
  const verdicts = newVerdicts()
  const nasty = '``` </details><img src=x> [link](http://y) @everyone'
  verdicts.check(
    'read-pipeline/values',
    false,
    exchange(JSON.stringify({ pipeline: { name: nasty } })),
    nasty,
  )
  const report = { ...reportOf(verdicts), harm: [`\`\`\`\` ${nasty}\n# harm`] }
  const text = fileReports.markdown(report)

  expect(text).toContain(`- \`\`\`\`\` \`\`\`\` ${nasty}\\u000a# harm \`\`\`\`\`\n`)
  const [, fence, inside] = /^(`{4,})text\n([\s\S]*?)\n\1$/m.exec(text)!
  expect(fence).toBe('````')
  expect(inside).toContain(nasty)
})

it('shortens Markdown to the limit of a GitHub summary', () => {
  const verdicts = newVerdicts()
  verdicts.check('read-pipeline/values', false, exchange('{"pipeline":{}}'))
  const report = reportOf(verdicts)
  const [finding] = newDeviations(report.findings)
  // As many causes as a server with a fault of its own in each reply would have.
  const findings = Array.from({ length: 2_000 }, (_, index) => {
    const evidence = { ...finding!.evidence, causes: [`cause ${index}`], received: 'x'.repeat(1_000) }
    return { rule: finding!.rule, verdict: { kind: 'failed' as const, evidence, further: [] } }
  })
  const text = fileReports.markdown({ ...report, findings })

  expect(text.length).toBeGreaterThan(100_000)
  expect(text.length).toBeLessThan(1_000_000)
  expect(text).toMatch(/^And \d+ more findings; the other reports have all of them\.$/m)
})

it('lists each selected rule with --verbose, and sums up the others', () => {
  const verdicts = new Verdicts({
    skips: ({ id }) => (id === 'create-backfill/values' ? undefined : '--only'),
    secrets: new Secrets(),
  })
  verdicts.check('create-backfill/values', true, exchange('{"backfill":{}}'))
  const lines = terminalReport(reportOf(verdicts), { isVerbose: true }).split('\n')

  expect(lines).toContainEqual(expect.stringContaining('  passed   create-backfill/values: '))
  expect(lines).toContainEqual(expect.stringContaining(`  ${rules.length - 1} rules: --only`))
})
