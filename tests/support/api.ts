import { onTestFinished } from 'vitest'
import { decodeBody } from '../../src/engine/body.ts'
import { createUnderstudy, type Understudy, type UnderstudyOptions } from '../../src/index.ts'

/** A request as a test writes it: `json` is written out, `body` is sent as it is. */
export interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string | Uint8Array | undefined
}

type Values = Record<string, unknown>

/** A reply, with its parts as a test reads them. */
export class ApiReply {
  /** The HTTP status. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The parsed text; the text itself where it is not JSON, and `undefined` where it is empty. */
  readonly body: unknown

  constructor(status: number, headers: Readonly<Record<string, string>>, text: string) {
    this.status = status
    this.headers = headers
    this.text = text
    try {
      this.body = text === '' ? undefined : JSON.parse(text)
    } catch {
      this.body = text
    }
  }

  /** The record of the reply, whatever its key. */
  get record(): Values {
    return this.#member as Values
  }

  /** The records of a list, whatever their key. */
  get records(): Values[] {
    return this.#member as Values[]
  }

  get metadata(): Values {
    return (this.body as Values).metadata as Values
  }

  /** The error of the reply; empty where it has none. */
  get error(): Values {
    return ((this.body as Values).error ?? {}) as Values
  }

  /** The value of the first key of the body. */
  get #member(): unknown {
    const [[key, value] = []] = Object.entries(this.body as Values)
    if (key === undefined || key === 'error') throw new Error(`Expected a record, received ${this.text}.`)
    return value
  }
}

/** An open adapter: sends requests to the understudy behind it. */
export interface Api {
  readonly understudy: Understudy
  /** The port that an adapter with a socket listens on; 0 for the others. */
  readonly port: number
  send(request: Sent): Promise<ApiReply>
  get(path: string, headers?: Record<string, string>): Promise<ApiReply>
  post(path: string, json?: unknown, headers?: Record<string, string>): Promise<ApiReply>
  put(path: string, json?: unknown, headers?: Record<string, string>): Promise<ApiReply>
  delete(path: string, headers?: Record<string, string>): Promise<ApiReply>
}

/** Sends a request through an open adapter. */
export type ApiTransport = (
  request: Required<Pick<Sent, 'method' | 'path' | 'headers'>> & Sent,
) => Promise<ApiReply>

export interface ApiConnection {
  readonly transport: ApiTransport
  readonly port: number
  close(): Promise<void> | void
}

/** An adapter through which tests send requests to a mock. */
export interface Adapter {
  readonly name: string
  connect(understudy: Understudy): Promise<ApiConnection>
}

/** The engine itself, without a transport. */
export const memory: Adapter = {
  name: 'memory',
  async connect(understudy) {
    return {
      port: 0,
      close: () => undefined,
      async transport({ method, path, headers, body }) {
        const text = body instanceof Uint8Array ? decodeBody(body) : body
        const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
        const reply = await understudy.dispatch({
          method,
          url: path,
          headers: Object.fromEntries(lowered),
          body: text,
        })
        if (reply === undefined) throw new Error(`${path} is outside /api`)
        return new ApiReply(reply.status, reply.headers, reply.body)
      },
    }
  },
}

/** Opens an adapter until the end of a test, on a new understudy. */
export async function open(
  adapter: Adapter,
  options: UnderstudyOptions = {},
  whenOver: (end: () => Promise<void> | void) => void = onTestFinished,
): Promise<Api> {
  const understudy = createUnderstudy(options)
  const { transport, port, close } = await adapter.connect(understudy)
  whenOver(close)
  const send = ({ method = 'GET', headers = {}, json, body, path }: Sent) =>
    json === undefined
      ? transport({ method, path, headers, ...(body !== undefined && { body }) })
      : transport({
          method,
          path,
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(json),
        })
  return {
    understudy,
    port,
    send,
    get: (path, headers = {}) => send({ path, headers }),
    post: (path, json, headers = {}) => send({ method: 'POST', path, headers, json }),
    put: (path, json, headers = {}) => send({ method: 'PUT', path, headers, json }),
    delete: (path, headers = {}) => send({ method: 'DELETE', path, headers }),
  }
}

/** Opens the engine itself, without a transport. */
export function openInMemory(options: UnderstudyOptions = {}): Promise<Api> {
  return open(memory, options)
}

/** One attribute of each record of a list. */
export function pluck(records: unknown, attribute: string): unknown[] {
  return (records as Values[]).map((record) => record[attribute])
}

/** The same, sorted: for tests that are not about the order of the list. */
export function pluckSorted(records: unknown, attribute: string): unknown[] {
  const compare = (one: unknown, other: unknown) =>
    typeof one === 'number' && typeof other === 'number' ? one - other : String(one) < String(other) ? -1 : 1
  return pluck(records, attribute).sort(compare)
}

/** The record of a list that has this value, such as its `uuid` or `id`. */
export function pick(records: readonly Values[], attribute: string, value: unknown): Values | undefined {
  return records.find((record) => record[attribute] === value)
}

/** Returns the whole state of a mock, except the time. */
export function stateOf(understudy: Understudy): unknown {
  const { clock: _, ...state } = structuredClone(understudy.export())
  return state
}
