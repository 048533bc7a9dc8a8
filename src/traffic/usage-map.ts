import { splitUrl } from '../shared/http.ts'
import { tryParseJson } from '../shared/json.ts'
import { isObject } from '../shared/values.ts'
import type { RecordedExchange } from './exchange.ts'

/** The parts of an operation that a consumer uses. */
export interface OperationUsage {
  readonly requests: number
  readonly parameters: readonly string[]
  /** Attributes that requests contain. */
  readonly sent: readonly string[]
  /** Attributes that replies contain: traffic does not show whether code reads them. */
  readonly received: readonly string[]
  readonly errors: readonly number[]
}

/** The parts of the API that a consumer uses, by the id of the operation. */
export type UsageMap = Readonly<Record<string, OperationUsage>>

const lists = ['parameters', 'sent', 'received'] as const

/** Collects the parts of the API that a consumer uses, request by request. */
export class UsageCollector {
  readonly #operations = new Map<string, ReturnType<typeof createCollected>>()

  add(operation: string, { request, reply }: RecordedExchange): void {
    const collected = this.#of(operation)
    collected.requests++
    for (const name of new URLSearchParams(splitUrl(request.url).search).keys())
      collected.parameters.add(name)
    addAttributes(collected.sent, tryParseJson(request.body ?? ''))
    const body = tryParseJson(reply?.body ?? '')
    const error = isObject(body) && isObject(body.error) ? body.error : undefined
    if (error !== undefined) collected.errors.add(Number(error.code))
    else addAttributes(collected.received, body)
  }

  /** Adds the usage that a file describes. */
  merge(map: UsageMap): void {
    for (const [operation, usage] of Object.entries(map)) {
      const collected = this.#of(operation)
      collected.requests += usage.requests
      for (const name of lists) for (const value of usage[name]) collected[name].add(value)
      for (const code of usage.errors) collected.errors.add(code)
    }
  }

  get map(): UsageMap {
    const operations = [...this.#operations].toSorted(([one], [other]) => (one < other ? -1 : 1))
    return Object.fromEntries(
      operations.map(([operation, { requests, parameters, sent, received, errors }]) => [
        operation,
        {
          requests,
          parameters: [...parameters].sort(),
          sent: [...sent].sort(),
          received: [...received].sort(),
          errors: [...errors].sort((one, other) => one - other),
        },
      ]),
    )
  }

  #of(operation: string) {
    const collected = this.#operations.get(operation) ?? createCollected()
    this.#operations.set(operation, collected)
    return collected
  }
}

function createCollected() {
  return {
    requests: 0,
    parameters: new Set<string>(),
    sent: new Set<string>(),
    received: new Set<string>(),
    errors: new Set<number>(),
  }
}

/** Adds the names of the attributes of the records in a body: those of an object or a list under a name. */
function addAttributes(names: Set<string>, body: unknown): void {
  if (!isObject(body)) return
  for (const [key, value] of Object.entries(body))
    for (const record of key === 'metadata' ? [] : [value].flat())
      if (isObject(record)) for (const name of Object.keys(record)) names.add(name)
}
