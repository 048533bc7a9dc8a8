import { connect, type Socket } from 'node:net'
import type { Fault, Fixture } from '../../src/index.ts'
import { tryParseJson } from '../../src/shared/json.ts'

/** How the server is started that a row attacks. */
export interface Setting {
  readonly auth?: 'open' | 'key' | 'login'
  readonly fixture?: Fixture
  readonly faults?: readonly Fault[]
  /** How many worlds there may be. */
  readonly worlds?: number
  /** Estimated bytes of the records of all worlds. */
  readonly maxMemory?: number
  readonly clock?: 'frozen'
  /** The profile of the server. */
  readonly profile?: 'mage-ai-0.9.79'
}

/** What came back of a request. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed text; `undefined` where it is no JSON. */
  readonly body: unknown
}

/** The server that is attacked. */
export interface Target {
  readonly port: number
  readonly url: string
  /** Sends a request to any path. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  /** Sends a request to the admin API. */
  admin(method: string, path: string, body?: unknown): Promise<Answer>
  /** Sends bytes on a connection of their own; gives what comes back until it closes, or until nothing more does. */
  raw(text: string | readonly string[], options?: { quiet?: number; close?: boolean }): Promise<string>
}

/** One row of the table: what is tried, what is sent, and what must hold. */
export interface Attack<Outcome = unknown> {
  /** What is tried; the kind stands before the colon. */
  readonly name: string
  readonly setting?: Setting
  /** Whether it takes long: such a row is left out of the tests. */
  readonly isLong?: boolean
  /** Whether it takes about a second of a processor: such a row is among the thorough tests only. */
  readonly isDear?: boolean
  send(target: Target): Promise<Outcome>
  /** Says what is wrong with the outcome; nothing where the server held. */
  holds(outcome: Outcome): string | undefined
}

/** Writes a row, its outcome typed by what is sent. */
export function attack<Outcome>(row: Attack<Outcome>): Attack {
  return row as Attack
}

/** A target at an address. */
export function createTarget(url: string): Target {
  const { port, hostname } = new URL(url)
  const ask: Target['ask'] = async (method, path, body, headers = {}) => {
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
    ask,
    admin: (method, path, body) => ask(method, `/__understudy__/api${path}`, body),
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

/** The head of a request, as it is sent; a second line for its host would be an attack. */
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

/** The header of the last request on a connection: the end of the reply is seen then, and need not be waited for. */
export const last = 'Connection: close'

/** Says that two things differ, where they do. */
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
