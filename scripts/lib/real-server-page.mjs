// Writes docs/real-server.md: what an independent server does otherwise than the document, and what its profile does not.

const cell = (text) =>
  String(text ?? '')
    .replaceAll('|', '\\|')
    .replaceAll('\n', ' ')
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

function section({ mode, name, summary, findings, harm, leftBehind }) {
  const of = (kind) => findings.filter(({ verdict }) => verdict.kind === kind)
  const deviating = of('broken').map(({ rule, known }) => [
    `\`${rule.id}\``,
    rule.line,
    rule.basis,
    known ?? 'not in the baseline',
  ])
  const unjudged = [...of('not reached'), ...of('skipped')].map(({ rule, verdict }) => [
    `\`${rule.id}\``,
    verdict.missing ?? verdict.flag,
  ])
  const title = `## ${mode === 'open' ? 'Without authentication' : 'With authentication'}, ${name}`
  return `${title}

${summary}.

${table(['rule', 'line', 'basis', 'what it does instead'], deviating)}

${unjudged.length === 0 ? 'Everything was judged.' : `Not judged:\n\n${table(['rule', 'why'], unjudged)}`}
${[...harm, ...leftBehind].map((line) => `\n- ${line}`).join('')}`
}

/** The page, from what the runs found and the stated limits of the profile. */
export function realServerPage({ version, baseline, judged, limits }) {
  const rows = limits.map(({ operation, at, reason }) => [`\`${operation}\``, `\`${at}\``, reason])
  return `# A real server, judged

Mage AI ${version}, an independent server of this API, judged by \`npm run verify:real\` (generated; do not edit): fresh, and used
with what may damage it. What it does otherwise, with the line of the document and on what that rests; the reasons are those of
\`${baseline}\`. Every other rule holds.

Without the conventions nothing more deviates: a pipeline that was made stays, is told, and shows its type outside the list and a
backfill without a name to whoever looks later. No third-party client of it has been tried on the profile.

What no reply shows: it keeps the files of blocks of type \`callback\`, \`conditional\`, \`chart\` and \`extension\`, and of blocks it
refuses, in the folder of its project, and the names of tags, whatever is deleted.

${judged.map(section).join('\n\n')}

## The profile beside it

\`npm run learn:real\` tells the stories to this server and to the understudy under \`--profile mage-ai-${version}\`, and compares
the replies: HTTP status, errors, attributes, the forms of moments, values. What is not the same, and stays so:

${table(['operation', 'where', 'why'], rows)}
`
}
