import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { parseJson, TooDeepError } from '../../src/shared/json.ts'
import { version } from '../../src/shared/version.ts'
import { printable } from '../reports/escape.ts'
import type { Report } from '../reports/report.ts'
import { rules } from '../rules/index.ts'
import { shownTarget } from '../runner/transports/over-http.ts'
import type { Finding } from '../runner/verdicts.ts'
import { checkReports, finish, type Verified } from './finish.ts'
import { mergeFindings } from './merge-findings.ts'

/** What is drawn where nothing is. */
const none: Report['drawn'] = { seed: 0, sequences: 0 }

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
  const targets = targetsOf(parts)
  const sum = (of: (part: Report) => number) => parts.reduce((total, part) => total + of(part), 0)
  const all = (of: (part: Report) => readonly string[]) => parts.flatMap(of)
  const report: Report = {
    target: targets.join(', '),
    run: all(({ run }) => [run]).join(', '),
    command: all(({ command }) => [command]).join('; '),
    version,
    strict: parts[0]?.strict ?? [],
    findings: withMissing(mergeFindings(parts.map((part) => part.findings))),
    gone: all((part) => part.gone),
    requests: sum((part) => part.requests),
    slowed: sum((part) => part.slowed),
    milliseconds: sum((part) => part.milliseconds),
    waited: sum((part) => part.waited),
    leftBehind: all((part) => part.leftBehind),
    harm: all((part) => part.harm),
    drawn: parts
      .map(({ drawn }) => drawn)
      .reduce((one, other) => (other.sequences > one.sequences ? other : one), none),
    choices: mergeChoices(parts),
    notes: [
      ...(targets.length > 1 ? ['The reports that were merged are of several targets.'] : []),
      ...all((part) => part.notes),
    ],
  }
  return finish(report, reports)
}

/** Every target that was judged: what holds on one says nothing of another. A part that has failed may not know its own. */
function targetsOf(parts: readonly Report[]): readonly string[] {
  const unknown = shownTarget(undefined)
  const targets = [...new Set(parts.map(({ target }) => target))]
  return targets.length > 1 ? targets.filter((target) => target !== unknown) : targets
}

/** Adds the rules that are in no part: nobody else says that one is missing. */
function withMissing(findings: readonly Finding[]): Finding[] {
  const known = new Set<string>(findings.map(({ rule }) => rule.id))
  const missing =
    'No report that was merged says anything of it: that of a part is missing, or is of another version.'
  const missed = rules.filter(({ id }) => !known.has(id))
  return [
    ...findings,
    ...missed.map((rule): Finding => ({ rule, verdict: { kind: 'blocked', missing, cause: 'failure' } })),
  ]
}

function mergeChoices(parts: readonly Report[]): Report['choices'] {
  const merged = new Map<string, Set<string>>()
  for (const [freedom, chosen] of parts.flatMap(({ choices }) => Object.entries(choices)))
    merged.set(freedom, new Set([...(merged.get(freedom) ?? []), ...chosen]))
  return Object.fromEntries([...merged].map(([freedom, chosen]) => [freedom, [...chosen].sort()]))
}

/** What a terminal would obey is spelled, as in a report that `verify` has just made: whoever made the file is not known. */
const text = z.string().transform((value) => value.split('\n').map(printable).join('\n'))
/** The name of a rule, of an assumption. */
const id = z.string().regex(/^[\w ./-]+$/, 'that is no id')
const texts = z.array(text)

const evidenceSchema = z.looseObject({
  headline: text,
  sentence: z.object({ line: z.number(), text }),
  operation: text,
  attribute: text.optional(),
  expected: text,
  received: text,
  expectedForm: text,
  receivedForm: text,
  causes: texts,
  request: text,
  httpStatus: z.number(),
  reply: text,
  steps: texts,
  curl: text,
  reproduction: text,
  known: text.optional(),
})

/** What the reports read of a report; what an older one does not say is nothing. */
const reportSchema = z.looseObject({
  // An older version showed the user of the address.
  target: text.transform((value) => (URL.canParse(value) ? shownTarget(value) : value)),
  run: text.default(''),
  command: text.default(''),
  version: text.default(''),
  strict: z.array(z.enum(['example', 'inferred'])).default([]),
  findings: z.array(
    z.looseObject({
      rule: z.looseObject({
        id,
        claim: text,
        section: text,
        sentence: z.looseObject({ line: z.number(), text }),
        source: z.enum(['specified', 'example', 'inferred']),
      }),
      verdict: z.discriminatedUnion('kind', [
        z.looseObject({ kind: z.literal('passed') }),
        z.looseObject({
          kind: z.literal('failed'),
          evidence: evidenceSchema,
          further: z.array(evidenceSchema).default([]),
        }),
        z.looseObject({ kind: z.literal('flaky'), evidence: evidenceSchema }),
        z.looseObject({
          kind: z.literal('blocked'),
          missing: text,
          cause: z.enum(['need', 'replies', 'failure']),
        }),
        z.looseObject({ kind: z.literal('skipped'), flag: text }),
      ]),
    }),
  ),
  gone: z.array(id),
  requests: z.number(),
  slowed: z.number().default(0),
  milliseconds: z.number(),
  waited: z.number(),
  leftBehind: texts.default([]),
  harm: texts.default([]),
  notes: texts.default([]),
  drawn: z.object({ seed: z.number(), sequences: z.number() }).default(none),
  choices: z.record(id, texts).default({}),
})

async function readPart(file: string): Promise<Report> {
  const broken = (why: string) =>
    new Error(
      `[understudy] Expected a JSON report of \`verify\` in ${file}; found ${why}. Write it with --report json=FILE.`,
    )
  let value: unknown
  try {
    value = parseJson(await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof TooDeepError) throw broken(`JSON, but ${error.message}`)
    throw broken(error instanceof SyntaxError ? 'no JSON' : 'no file that can be read')
  }
  const parsed = reportSchema.safeParse(value)
  // A report of another version may name rules that there are not any more: all that is read of them was seen to be there.
  if (parsed.success) return parsed.data as unknown as Report
  const [issue] = parsed.error.issues
  throw broken(`other JSON (${issue?.path.join('.') || 'its root'}: ${issue?.message})`)
}
