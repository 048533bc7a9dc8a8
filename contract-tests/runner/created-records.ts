import type { CleanupLog } from './cleanup-log.ts'
import type { Exchange } from './client.ts'
import { isObject } from './is-object.ts'
import type { LeftRecord } from './left-behind.ts'
import { operationOf } from './operation-of.ts'
import { isError, rawTokenIn, recordIn } from './replies.ts'

/** Records everything that requests create: pipelines in the cleanup log, and records that no request can delete. */
export class CreatedRecords {
  /** The raw tokens of opened sessions. */
  readonly rawTokens = new Set<string>()
  /** The triggered runs, by their paths. */
  readonly runs = new Map<string, LeftRecord>()
  readonly #cleanupLog: CleanupLog
  readonly #before: ReadonlySet<string>
  /** The specified uuids of pipelines with a creation in progress. */
  readonly #expected = new Set<string>()

  constructor(cleanupLog: CleanupLog, before: ReadonlySet<string>) {
    this.#cleanupLog = cleanupLog
    this.#before = before
  }

  /** Notes a pipeline before its creation, by the specified uuid: an interruption may lose the reply. */
  expect(method: string, path: string, body: unknown): void {
    if (operationOf(method, path)?.facts.operation !== 'createPipeline') return
    const uuid = specifiedUuid(body)
    if (uuid === undefined || this.#cleanupLog.has(uuid)) return
    this.#expected.add(uuid)
    this.#cleanupLog.created(uuid)
  }

  /** Notes the record that a reply shows as created or deleted. */
  note(exchange: Exchange): void {
    const reached = operationOf(exchange.method, exchange.path)
    if (reached === undefined) return
    const { facts, parameters } = reached
    if (facts.operation === 'createPipeline') this.#notePipeline(exchange)
    if (facts.singular === 'pipeline' && facts.action === 'delete' && !isError(exchange))
      this.#cleanupLog.gone(parameters.uuid ?? '')
    if (facts.action !== 'create') return
    const record = recordIn(exchange, facts.singular)
    const home = parameters.pipeline_uuid ?? record?.pipeline_uuid
    if (facts.singular === 'backfill' || facts.singular === 'pipeline_schedule')
      this.#cleanupLog.filled(String(home))
    const path = `/api/pipeline_runs/${record?.id}`
    if (facts.singular === 'pipeline_run' && record !== undefined)
      this.runs.set(path, { kind: 'run', path, home: String(home) })
    const rawToken = facts.singular === 'session' ? rawTokenIn(exchange) : undefined
    if (rawToken !== undefined) this.rawTokens.add(rawToken)
  }

  #notePipeline(exchange: Exchange): void {
    const expected = specifiedUuid(exchange.requestBody)
    const uuid = recordIn(exchange, 'pipeline')?.uuid
    // A success without a uuid may have created the pipeline nevertheless: the entry remains.
    const isOther = typeof uuid === 'string' ? uuid !== expected : isError(exchange)
    if (expected !== undefined && this.#expected.delete(expected) && isOther) this.#cleanupLog.gone(expected)
    // A pipeline that existed before belongs to another client, even if the reply claims to have created it.
    if (typeof uuid === 'string' && !this.#before.has(uuid)) this.#cleanupLog.created(uuid)
  }
}

/** The uuid that the specification gives a new pipeline. */
function specifiedUuid(body: unknown): string | undefined {
  const record = isObject(body) ? body.pipeline : undefined
  return isObject(record) && typeof record.name === 'string' ? record.name.replaceAll('-', '_') : undefined
}
