import { isErrorEnvelope, type OperationId, type OperationReply } from 'pipeline-understudy/api'
import { currentSession } from './session'
import { apiBase } from './where'

/** Error in a reply of the API. Its HTTP status is 200, too, so only the body shows it. */
export class ApiError extends Error {
  readonly code: number
  readonly type: string

  constructor(code: number, type: string, message: string) {
    super(message)
    this.code = code
    this.type = type
  }

  /** True if a new sign-in may help. */
  get isAboutCredentials(): boolean {
    return this.code === 401 || this.code === 403
  }

  /** True if the same request may succeed later. */
  get isPassing(): boolean {
    return this.code >= 500
  }
}

export interface Outgoing {
  readonly method?: 'POST' | 'PUT' | 'DELETE'
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: object
  readonly signal?: AbortSignal
  /** Credentials other than those of the present session. */
  readonly apiKey?: string
}

/**
 * Sends a request of an operation, and gives what it replies.
 *
 * @throws ApiError where the body is an error, is no JSON, or where no reply comes.
 */
export async function send<Id extends OperationId>(
  path: string,
  { method, query = {}, body, signal, apiKey }: Outgoing = {},
): Promise<OperationReply<Id>> {
  const url = new URL(apiBase + path)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const session = currentSession()
  const headers = new Headers()
  const key = apiKey ?? session?.apiKey
  if (key) headers.set('X-API-KEY', key)
  if (session?.token) headers.set('OAUTH-TOKEN', session.token)
  if (body) headers.set('Content-Type', 'application/json')
  let status: number
  let text: string
  try {
    const response = await fetch(url, { method, headers, body: body && JSON.stringify(body), signal })
    status = response.status
    text = await response.text()
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(503, 'no_reply', 'The server does not answer.')
  }
  return readReply(status, text) as OperationReply<Id>
}

function readReply(status: number, text: string): unknown {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    const code = status >= 400 ? status : 502
    throw new ApiError(code, 'no_json', 'What came back is not of the API; perhaps a proxy answered.')
  }
  if (isErrorEnvelope(body)) throw new ApiError(body.error.code, body.error.type, body.error.message)
  const loose = (body as { error?: { code?: unknown; message?: unknown; exception?: unknown } } | null)?.error
  // Some servers leave the type out, and put the reason elsewhere.
  if (typeof loose?.code === 'number')
    throw new ApiError(loose.code, 'unknown', String(loose.exception ?? loose.message ?? 'No reason given.'))
  return body
}
