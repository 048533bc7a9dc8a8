import type { Json } from '../../../contract-tests/mutants/define-mutant.ts'
import { isObject } from '../../../contract-tests/runner/is-object.ts'
import type { Answering } from '../../../contract-tests/runner/transports/transport.ts'

/** A request of the sequence: what a client of the document may send. */
export interface WitnessRequest {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Credentials of a user who is signed in. */
export const key = { 'X-API-KEY': 'contract-key', 'OAUTH-TOKEN': 'judge-active-token' }

/** Sends a request and gives the status and text of the reply. */
export async function send(
  server: Answering,
  { method, path, body, headers = key }: WitnessRequest,
): Promise<string> {
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const { status, text } = await server.answer({ method, path, headers, body: sent })
  return `${status} ${text}`
}

/** Sends what a sequence asks, several at once where it says so, and keeps it. */
export class Recorder {
  readonly server: Answering
  readonly requests: (readonly WitnessRequest[])[] = []
  readonly replies: (readonly string[])[] = []

  constructor(server: Answering) {
    this.server = server
  }

  async ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Json> {
    const [reply = ''] = await this.atOnce([{ method, path, body, ...(headers && { headers }) }])
    const parsed: unknown = JSON.parse(reply.slice(reply.indexOf(' ') + 1))
    return isObject(parsed) ? parsed : {}
  }

  async atOnce(asked: readonly WitnessRequest[]): Promise<readonly string[]> {
    const replies = await Promise.all(asked.map((request) => send(this.server, request)))
    this.requests.push(asked)
    this.replies.push(replies)
    return replies
  }
}
