import * as z from 'zod'
import { readTextFile } from '../../src/files/read-file.ts'
import { tryParseJson } from '../../src/shared/json.ts'
import { addressOf } from '../../src/traffic/exchange.ts'
import { readHar } from '../../src/traffic/read-har.ts'
import { UsageCollector, type UsageMap } from '../../src/traffic/usage-map.ts'
import type { Rule } from '../rules/index.ts'
import { factsOf, operationIds } from '../runner/operation-facts.ts'
import { operationOf } from '../runner/operation-of.ts'
import { type Evidence, type Finding, markKnown } from '../runner/verdicts.ts'

const names = z.array(z.string())
const schema = z.record(
  z.string(),
  z.strictObject({
    requests: z.number(),
    parameters: names,
    sent: names,
    received: names,
    errors: z.array(z.number()),
  }),
)

/** The use of an operation by consumers, with what they do not use of it. */
export interface OperationUse {
  readonly operation: string
  readonly requests: number
  readonly used: readonly string[]
  readonly unused: readonly string[]
}

/**
 * Reads what consumers use, from HAR files and JSON files with usage maps.
 *
 * @throws Error where a file has another form, or none shows an operation of the API.
 */
export async function readUsage(files: readonly string[]): Promise<UsageMap> {
  const collector = new UsageCollector()
  for (const file of files) {
    if (!/\.har$/i.test(file)) {
      collector.merge(readMap(file))
      continue
    }
    for await (const exchange of readHar(file)) {
      const address = addressOf(exchange)
      const reached = address && operationOf(exchange.request.method, address.path)
      if (reached !== undefined) collector.add(reached.facts.operation, exchange)
    }
  }
  const { map } = collector
  if (Object.keys(map).length > 0) return map
  throw new Error(`--used-by: expected traffic of this API; found no operation in ${files.join(', ')}.`)
}

function readMap(file: string): UsageMap {
  const parsed = schema.safeParse(tryParseJson(readTextFile(file, `${file} for --used-by`)))
  if (parsed.success) return parsed.data
  throw new Error(`--used-by: expected a HAR file or a usage map in JSON; found neither: ${file}.`)
}

/** Marks the deviations that no consumer uses as accepted. */
export function markUnused(findings: readonly Finding[], usage: UsageMap): Finding[] {
  return findings.map((finding) =>
    markKnown(finding, (evidence) => (isUsed(finding.rule, evidence, usage) ? undefined : unusedReason)),
  )
}

/** The reason for accepting a deviation that nobody uses. */
export const unusedReason = 'No consumer uses it.'

/** Parameters without which a rule is of no use. */
const parametersOf: readonly (readonly [pattern: RegExp, parameters: readonly string[]])[] = [
  [/\/(?:paging|limit|limit-one|offset|pages-disjoint)$/, ['_limit', '_offset']],
  [/\/run-count/, ['include_run_count']],
  [/\/(?:triggers|schedules-\w+)/, ['include_schedules']],
  [/tag/, ['tag[]']],
]

function isUsed(rule: Rule, { attribute }: Evidence, usage: UsageMap): boolean {
  if (rule.id.startsWith('other-requests/')) return false
  const use = usage[rule.operation]
  if (use === undefined) return false
  const isAboutErrors =
    rule.section === 'Errors' || /\/(?:refuses|refused|refused-unchanged|unknown)$/.test(rule.id)
  if (isAboutErrors && use.errors.length === 0) return false
  const needed = parametersOf.find(([pattern]) => pattern.test(rule.id))?.[1]
  if (needed !== undefined && !needed.some((name) => use.parameters.includes(name))) return false
  const about = attribute ?? /^`(\w+)`/.exec(rule.sentence.text)?.[1]
  const facts = factsOf(rule.operation)
  const isAttribute = facts?.attributes !== 'all' && facts?.attributes.some(({ name }) => name === about)
  // A filter is a parameter with the name of an attribute.
  const names = [...use.parameters, ...use.sent, ...use.received]
  return about === undefined || !isAttribute || names.includes(about)
}

/** Lists the documented operations with what consumers use and do not use of each. */
export function operationUses(usage: UsageMap): OperationUse[] {
  return operationIds.flatMap((operation) => {
    const facts = factsOf(operation)
    const use = usage[operation]
    if (facts === undefined || (use === undefined && facts.routes[0]?.basis !== 'documented')) return []
    const { requests = 0, parameters = [], sent = [], received = [], errors = [] } = use ?? {}
    const used = [...new Set([...parameters, ...sent, ...received]), ...errors.map((code) => `error ${code}`)]
    const attributes = facts.attributes === 'all' ? [] : facts.attributes.map(({ name }) => name)
    const all = [...facts.parameters, ...facts.writes].map(({ name }) => name)
    return [
      {
        operation,
        requests,
        used,
        unused: [...new Set([...all, ...attributes])].filter((name) => !used.includes(name)),
      },
    ]
  })
}
