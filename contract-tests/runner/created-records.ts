import type { CleanupLog } from './cleanup-log.ts'
import type { Exchange } from './client.ts'
import { isObject } from './is-object.ts'
import { operationOf, type ReachedOperation } from './operation-of.ts'
import { isError, rawTokenIn, recordIn } from './replies.ts'

/** The kinds of records that are noted by their id. */
const kindsById = { backfill: 'backfill', pipeline_schedule: 'schedule', pipeline_run: 'run' } as const

/** Notes in the cleanup log what requests create and delete, whoever sends them. */
export class CreatedRecords {
  /** The raw tokens of the sessions that were opened. */
  readonly rawTokens = new Set<string>()
  readonly #cleanupLog: CleanupLog
  readonly #before: ReadonlySet<string>
  /** The paths of pipelines whose creation was sent and not answered yet. */
  readonly #expected = new Set<string>()

  constructor(cleanupLog: CleanupLog, before: ReadonlySet<string>) {
    this.#cleanupLog = cleanupLog
    this.#before = before
  }

  /** Notes a pipeline before its creation is sent, by the specified uuid: an interruption may lose the reply. */
  expect(method: string, path: string, body: unknown): void {
    if (operationOf(method, path)?.facts.operation !== 'createPipeline') return
    const name = nameIn(body, 'pipeline')
    if (name === undefined || this.#cleanupLog.has(expectedPath(name))) return
    this.#expected.add(expectedPath(name))
    this.#cleanupLog.created('pipeline', expectedPath(name), { name })
  }

  /** Notes the record that a reply shows as created or deleted. */
  note(exchange: Exchange): void {
    const reached = operationOf(exchange.method, exchange.path)
    if (reached === undefined) return
    const { action, operation, singular } = reached.facts
    const rawToken = operation === 'createSession' ? rawTokenIn(exchange) : undefined
    if (rawToken !== undefined) this.rawTokens.add(rawToken)
    if (operation === 'createPipeline') this.#notePipeline(exchange)
    else if (action === 'create' && singular in kindsById) this.#noteById(exchange, reached)
    else if (action === 'delete' && !isError(exchange)) this.#cleanupLog.deleted(deletionOf(reached))
  }

  #notePipeline(exchange: Exchange): void {
    const name = nameIn(exchange.requestBody, 'pipeline')
    const uuid = recordIn(exchange, 'pipeline')?.uuid
    const actual = typeof uuid === 'string' ? pipelinePath(uuid) : undefined
    // A success without a uuid may have created the pipeline all the same: the note stays.
    if (name !== undefined && actual !== expectedPath(name) && (actual !== undefined || isError(exchange)))
      if (this.#expected.has(expectedPath(name))) this.#cleanupLog.deleted(expectedPath(name))
    if (name !== undefined) this.#expected.delete(expectedPath(name))
    // What existed before belongs to another client, whatever the reply says.
    if (typeof uuid === 'string' && !this.#before.has(uuid))
      this.#cleanupLog.created('pipeline', pipelinePath(uuid), { ...(name !== undefined && { name }) })
  }

  #noteById(exchange: Exchange, { facts, parameters }: ReachedOperation): void {
    const { singular, plural } = facts
    const record = recordIn(exchange, singular)
    if (!Number.isSafeInteger(record?.id)) return
    const kind = kindsById[singular as keyof typeof kindsById]
    const home = parameters.pipeline_uuid ?? record?.pipeline_uuid
    const name = nameIn(exchange.requestBody, singular)
    this.#cleanupLog.created(kind, `/api/${plural}/${record?.id}`, {
      ...(typeof home === 'string' && { home }),
      ...(name !== undefined && { name }),
    })
  }
}

/** The path by which the cleanup log knows a deleted record. */
function deletionOf({ facts, parameters }: ReachedOperation): string {
  const key = Object.values(parameters).at(-1) ?? ''
  if (facts.singular !== 'block') return `/api/${facts.plural}/${encodeURIComponent(key)}`
  return `${pipelinePath(parameters.pipeline_uuid ?? '')}/blocks/${encodeURIComponent(key)}?force=True`
}

function nameIn(body: unknown, singular: string): string | undefined {
  const record = isObject(body) ? body[singular] : undefined
  return isObject(record) && typeof record.name === 'string' ? record.name : undefined
}

function expectedPath(name: string): string {
  return pipelinePath(name.replaceAll('-', '_'))
}

function pipelinePath(uuid: string): string {
  return `/api/pipelines/${encodeURIComponent(uuid)}`
}
