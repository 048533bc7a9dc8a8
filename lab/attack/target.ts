import { connect, type Socket } from 'node:net'
import type { Fault, Fixture } from '../../src/index.ts'
import { tryParseJson } from '../../src/shared/json.ts'

/** Options of the server that a row attacks. */
export interface Setting {
  readonly auth?: 'open' | 'key' | 'login'
  readonly fixture?: Fixture
  readonly faults?: readonly Fault[]
  /** Maximum number of worlds. */
  readonly worlds?: number
  /** Estimated bytes of the records of all worlds. */
  readonly maxMemory?: number
  readonly clock?: 'frozen'
  /** The profile of the server. */
  readonly profile?: 'mage-ai-0.9.79'
}

/** A reply of the server. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed text; `undefined` if it is not JSON. */
  readonly body: unknown
}

/** The server under attack. */
export interface Target {
  readonly port: number
  readonly url: string
  /** Sends a request to any path. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  /** Sends a request to the admin API. */
  admin(method: string, path: string, body?: unknown): Promise<Answer>
  /** Sends bytes on a new connection; returns what the server sends until it closes or is quiet. */
  raw(text: string | readonly string[], options?: { quiet?: number; close?: boolean }): Promise<string>
}

/** One row of the table: a name, the requests, and a check of the outcome. */
export interface Attack<Outcome = unknown> {
  /** Description of the attack, with its kind before a colon. */
  readonly name: string
  readonly setting?: Setting
  /** True for a row that takes too long for the tests. */
  readonly isLong?: boolean
  /** True for a row that takes about a second of a processor, and belongs to the thorough tests. */
  readonly isCostly?: boolean
  send(target: Target): Promise<Outcome>
  /** Describes the problem of the outcome; returns undefined if there is none. */
  problemOf(outcome: Outcome): string | undefined
}

/** Creates a row. The result of `send` determines the type of the outcome. */
export function attack<Outcome>(row: Attack<Outcome>): Attack {
  return row as Attack
}

/** A target at an address. */
export function createTarget(url: string): Target {
  const { port, hostname } = new URL(url)
  const call: Target['call'] = async (method, path, body, headers = {}) => {
    const isText = typeof body === 'string'
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...(body !== undefined && !isText && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: tryParseJson(text) }
  }
  return {
    port: Number(port),
    url,
    call,
    admin: (method, path, body) => call(method, `/__understudy__/api${path}`, body),
    raw(text, { quiet = 300, close = false } = {}) {
      return new Promise((resolve) => {
        const socket = connect(Number(port), hostname).setNoDelay(true)
        let received = ''
        let timer: NodeJS.Timeout | undefined
        const finish = () => {
          clearTimeout(timer)
          socket.destroy()
          resolve(received)
        }
        const wait = () => {
          clearTimeout(timer)
          timer = setTimeout(finish, quiet)
        }
        socket.on('data', (chunk) => {
          received += chunk.toString('latin1')
          if (!close) wait()
        })
        socket.on('error', () => undefined).on('close', finish)
        socket.on('connect', async () => {
          for (const piece of [text].flat()) {
            socket.write(piece, 'latin1')
            await new Promise((wake) => setTimeout(wake, 5))
          }
          if (!close) wait()
        })
      })
    },
  }
}

/** Returns the head of a request on the wire. A second Host line would be an attack itself. */
export function head(method: string, path: string, ...headers: readonly string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')
}

/** The text of a GET request. */
export function get(path: string, ...headers: readonly string[]): string {
  return head('GET', path, ...headers)
}

/** Opens a connection that ignores errors, because the server may close it. */
export function openSocket(port: number): Socket {
  return connect(port, '127.0.0.1').on('error', () => undefined)
}

/** Creates a list from the numbers below a count. */
export function listOf<Item>(count: number, create: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => create(index))
}

/** Replaces the records of `main` by one pipeline with this many backfills. */
export function importBackfills({ admin }: Target, count: number): Promise<Answer> {
  const backfills = listOf(count, (index) => ({ name: `b ${index}`, pipeline_uuid: 'a' }))
  return admin('PUT', '/worlds/main/state', { pipelines: [{ name: 'a' }], backfills })
}

/** Header of the last request on a connection: the server closes it, so the end of the reply is visible. */
export const last = 'Connection: close'

/** Describes the difference between two values; returns undefined if there is none. */
export function differs(what: string, expected: unknown, found: unknown): string | undefined {
  const [left, right] = [JSON.stringify(expected), JSON.stringify(found)]
  return left === right ? undefined : `${what}: expected ${left}; found ${right?.slice(0, 400)}`
}

/** The logical status of an answer: the code of its error, or the HTTP status. */
export function codeOf({ status, body }: Answer): number {
  const code = (body as { error?: { code?: number } } | undefined)?.error?.code
  return code ?? status
}

/** The statuses of the replies that came on one connection. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}
