import { readFile } from 'node:fs/promises'
import type { Report } from '../reports/report.ts'
import { checkReports, finish, type Verified } from './finish.ts'
import { mergeFindings } from './merge-findings.ts'

/**
 * Joins the JSON reports of several parts into one.
 *
 * @throws where a file is none, and names it.
 */
export async function mergeReports(
  files: readonly string[],
  reports?: Readonly<Record<string, string>>,
): Promise<Verified> {
  checkReports(reports)
  const parts = await Promise.all(files.map(readPart))
  const sum = (of: (part: Report) => number) => parts.reduce((total, part) => total + of(part), 0)
  const all = (of: (part: Report) => readonly string[]) => parts.flatMap(of)
  const report: Report = {
    target: parts[0]?.target ?? '',
    run: all(({ run }) => [run]).join(', '),
    strict: parts[0]?.strict ?? [],
    findings: mergeFindings(parts.map((part) => part.findings)),
    gone: all((part) => part.gone),
    requests: sum((part) => part.requests),
    slowed: sum((part) => part.slowed),
    milliseconds: sum((part) => part.milliseconds),
    waited: sum((part) => part.waited),
    leftBehind: all((part) => part.leftBehind),
    harm: all((part) => part.harm),
    drawn: parts
      .map(({ drawn }) => drawn)
      .reduce((one, other) => (other.stories > one.stories ? other : one), none),
    choices: mergeChoices(parts),
    notes: all((part) => part.notes),
  }
  return finish(report, reports)
}

/** What is drawn where nothing is. */
const none: Report['drawn'] = { seed: 0, stories: 0 }

function mergeChoices(parts: readonly Report[]): Report['choices'] {
  const merged = new Map<string, Set<string>>()
  for (const [freedom, chosen] of parts.flatMap(({ choices }) => Object.entries(choices)))
    merged.set(freedom, new Set([...(merged.get(freedom) ?? []), ...chosen]))
  return Object.fromEntries([...merged].map(([freedom, chosen]) => [freedom, [...chosen].sort()]))
}

async function readPart(file: string): Promise<Report> {
  const broken = (why: string) =>
    new Error(
      `[understudy] Expected a JSON report of \`verify\` in ${file}; found ${why}. Write it with --report json=FILE.`,
    )
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw broken(error instanceof SyntaxError ? 'no JSON' : 'no file that can be read')
  }
  const report = value as Partial<Report> | null
  if (!Array.isArray(report?.findings) || typeof report.target !== 'string' || !Array.isArray(report.gone))
    throw broken('other JSON')
  // What an older report does not say is nothing.
  const lists = { strict: [], leftBehind: [], harm: [], notes: [] }
  return { run: '', slowed: 0, drawn: none, choices: {}, ...lists, ...report } as Report
}
