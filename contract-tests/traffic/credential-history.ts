import { hidden } from '../../src/shared/hidden.ts'
import type { OperationId } from '../rules/operation-id.ts'
import type { Exchange } from '../runner/read-exchange.ts'
import { isRecent } from './known-records.ts'

const tokenHeaders = ['oauth-token', 'authorization', 'cookie']

/** Maximum number of stored outcomes. */
const mostStored = 5_000

interface Outcome {
  readonly isAccepted: boolean
  /** True if the server refused the API key, rather than a token. */
  readonly isOfKey: boolean
  readonly seenAt: number
  readonly sessions: number
  readonly step: string
}

/** Remembers which credentials a server accepted for which requests. */
export class CredentialHistory {
  readonly #outcomes = new Map<string, Outcome>()
  #sessions = 0

  /** Adds an exchange; returns the earlier request that the same credentials had the other outcome for. */
  add(operation: OperationId, exchange: Exchange, at: number): string | undefined {
    const { method, path, credentials } = exchange
    const isRefused = isAboutCredentials(exchange)
    // A new session may end another one, and a token may expire between two requests.
    if (operation === 'createSession' || isExpired(exchange)) this.#sessions++
    if (operation === 'createSession' || (exchange.error !== undefined && !isRefused)) return undefined
    const [address = '', query] = path.split('?')
    const keys = new URLSearchParams(query).getAll('api_key')
    const presented = [...Object.values(credentials), ...keys, keyInBody(exchange)]
    // Recordings may hide credentials, and then different ones are equal.
    if (presented.some((value) => value === hidden)) return undefined
    const name = JSON.stringify([method, address, credentials, keys, keyInBody(exchange)])
    const before = this.#outcomes.get(name)
    const step = `${method} ${path}`
    this.#outcomes.delete(name)
    const isOfKey = isRefused && /api.?key/i.test(JSON.stringify(exchange.error))
    this.#outcomes.set(name, { isAccepted: !isRefused, isOfKey, seenAt: at, sessions: this.#sessions, step })
    const [oldest] = this.#outcomes.keys()
    if (this.#outcomes.size > mostStored && oldest !== undefined) this.#outcomes.delete(oldest)
    const isHeld = before !== undefined && before.sessions === this.#sessions && isRecent(before, at)
    // Browsers leave tokens out of HAR files, and then different ones are equal.
    const isShown = tokenHeaders.some((header) => header in credentials) || isOfKey || before?.isOfKey
    return isHeld && isShown && before.isAccepted === isRefused ? before.step : undefined
  }
}

function keyInBody({ requestBody }: Exchange): unknown {
  return typeof requestBody === 'object' && requestBody !== null && 'api_key' in requestBody
    ? requestBody.api_key
    : undefined
}

/** Returns whether a server refuses a token because its time is over. */
function isExpired({ error }: Exchange): boolean {
  return error !== undefined && /expired/i.test(`${String(error.type)} ${String(error.message)}`)
}

/** Returns whether a server refuses the credentials of a request. */
function isAboutCredentials({ code, httpStatus, error }: Exchange): boolean {
  return (
    [code, httpStatus].some((status) => status === 401 || status === 403) ||
    /api_key|oauth|unauthorized/.test(String(error?.type ?? ''))
  )
}
