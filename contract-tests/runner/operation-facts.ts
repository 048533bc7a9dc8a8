import * as z from 'zod'
import { resources } from '../../src/resources/index.ts'
import { sectionOf, titleOf } from '../../src/resources/notes.ts'
import type { Operation, Resource, Route } from '../../src/resources/resource.ts'
import { headingOf, rowAbout, type Statement, statementsIn, statementWith } from '../rules/document.ts'
import type { OperationId } from '../rules/operation-id.ts'
import type { Section } from '../rules/sections.ts'

/** A presented attribute, and the row of the specification that lists it. */
export interface AttributeFact {
  readonly name: string
  readonly isTimestamp: boolean
  readonly stated: Statement | undefined
}

/** An attribute that a client may send. */
export interface WritableFact {
  readonly name: string
  readonly isRequired: boolean
  /** Allowed values, if the specification lists them. The target must refuse others. */
  readonly values: readonly unknown[] | undefined
  readonly stated: Statement | undefined
}

/** A query parameter, and what it adds to the presented attributes. */
export interface ParameterFact {
  readonly name: string
  readonly type: 'integer' | 'boolean' | 'string'
  readonly adds: readonly string[]
  readonly stated: Statement | undefined
}

/** Properties of an operation from the table of resources, with the lines of the specification behind them. */
export interface OperationFacts {
  readonly operation: OperationId
  readonly title: string
  readonly action: Operation['action']
  readonly singular: string
  readonly plural: string
  /** The heading of the specification that describes it. */
  readonly stated: Statement
  readonly routes: readonly (Pick<Route, 'method' | 'path' | 'basis'> & {
    readonly stated: Statement | undefined
  })[]
  readonly parameters: readonly ParameterFact[]
  /** The attributes of a record in a reply; `all` if the record has no fixed attributes. */
  readonly attributes: readonly AttributeFact[] | 'all'
  readonly timestamps: {
    readonly form: NonNullable<Operation['timestamps']>
    readonly stated: Statement | undefined
  }
  readonly writes: readonly WritableFact[]
  /** The credentials that a request needs, if the target checks them. */
  readonly needs: {
    readonly credentials: readonly ('api-key' | 'oauth-token')[]
    readonly stated: Statement | undefined
  }
}

/**
 * Returns the properties of an operation; undefined if the table has no such id.
 *
 * @example
 * factsOf('deleteBackfill')?.timestamps.form // 'seconds'
 */
export function factsOf(operation: OperationId): OperationFacts | undefined {
  const known = facts.get(operation)
  if (known !== undefined) return known
  for (const resource of resources) {
    const found = resource.operations.find(({ id }) => id === operation)
    if (found === undefined) continue
    const made = toFacts(resource, found)
    facts.set(operation, made)
    return made
  }
  return undefined
}

/** Caches the properties by operation, because every exchange needs them. */
const facts = new Map<OperationId, OperationFacts>()

/** The ids of all operations of the table. */
export const operationIds: readonly OperationId[] = resources.flatMap(({ operations }) =>
  // The table as generic code reads it has ids as texts; they are those of its type.
  operations.map(({ id }) => id as OperationId),
)

function toFacts(resource: Resource, operation: Operation): OperationFacts {
  const { id, action } = operation
  const section = sectionOf(operation)
  const fields = recordSection(resource)
  return {
    operation: id as OperationId,
    title: titleOf(resource, operation),
    action,
    singular: resource.singular,
    plural: resource.plural,
    stated: headingOf(section),
    routes: operation.routes.map(({ method, path, basis }) => ({
      method,
      path,
      basis,
      stated:
        basis === 'documented'
          ? (statementWith(section, `${method} ${path}\``) ?? statementWith(section, `${method} method`))
          : undefined,
    })),
    parameters: (operation.parameters ?? []).map(({ name, type, adds }) => ({
      name,
      type,
      adds: adds?.attributes ?? [],
      stated: statementWith(section, `\`${name}\``) ?? rowAbout('Limits', name),
    })),
    attributes: attributesOf(resource, operation, section, fields),
    timestamps: timestampsOf(operation),
    writes: writesOf(operation, section, fields),
    needs: needsOf(operation),
  }
}

const recordSections = ['Pipeline', 'Block', 'Backfill', 'Pipeline schedule', 'Pipeline run', 'Pipeline logs entry', 'OAuth access token', 'Session'] as const satisfies readonly Section[] // biome-ignore format: a list of headings

/** The heading under which the specification lists the fields of a resource's records. */
function recordSection({ singular, plural }: Resource): Section | undefined {
  const words = singular.replaceAll('_', ' ')
  return (
    recordSections.find((heading) => heading.toLowerCase() === words) ??
    recordSections.find((heading) => heading.toLowerCase().split(' ').includes(plural))
  )
}

function attributesOf(
  resource: Resource,
  operation: Operation,
  section: Section,
  fields: Section | undefined,
): OperationFacts['attributes'] {
  const presents = operation.presents ?? resource.presents
  if (presents === 'all') return 'all'
  return presents.map((name) => ({
    name,
    isTimestamp: resource.times.includes(name),
    stated:
      statementsIn(section).find(({ text }) => listedInResponse(text).includes(name)) ??
      (fields && (rowAbout(fields, name) ?? statementWith(fields, `\`${name}\``))),
  }))
}

/** The attributes that a sentence lists by name, such as ``Response: `{ block: { content, name } }` ``. */
function listedInResponse(text: string): string[] {
  const list = /^Response: `\{ \w+: \{([^}]*)\}/.exec(text)?.[1] ?? ''
  return list.split(',').map((name) => name.trim())
}

function timestampsOf({ timestamps: form = 'microseconds' }: Operation): OperationFacts['timestamps'] {
  const shown = form === 'seconds' ? 'YYYY-MM-DD HH:MM:SS` (' : 'HH:MM:SS.ffffff+00:00`'
  return { form, stated: statementWith('Resources and their fields', shown) }
}

/** The part of a JSON Schema that restricts the values of an attribute. */
interface ValuesSchema {
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly ValuesSchema[]
}

function writesOf(
  { writes }: Operation,
  section: Section,
  fields: Section | undefined,
): OperationFacts['writes'] {
  if (writes === undefined) return []
  const { properties = {}, required = [] } = z.toJSONSchema(writes, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    isRequired: required.includes(name),
    values: typeof schema === 'object' ? valuesOf(schema as ValuesSchema) : undefined,
    stated:
      rowAbout(section, name) ??
      statementsIn(section).find(({ text }) => new RegExp(`[{ ]${name}: `).test(text)) ??
      (fields && rowAbout(fields, name)),
  }))
}

function valuesOf({ enum: values, anyOf = [] }: ValuesSchema): readonly unknown[] | undefined {
  return values ?? anyOf.map(valuesOf).find((found) => found !== undefined)
}

function needsOf({ credentials }: Operation): OperationFacts['needs'] {
  const shown = (part: string) => statementWith('Authentication', part)
  if (credentials === 'none') return { credentials: [], stated: shown('trigger endpoint') }
  if (credentials === 'api-key') return { credentials: ['api-key'], stated: shown('creating a session') }
  return { credentials: ['api-key', 'oauth-token'], stated: shown('Most endpoints need two credentials') }
}
