import type { RecordedExchange } from './exchange.ts'

/** The members of a journal entry that become an exchange. */
export interface LoggedExchange {
  readonly sequence: number
  readonly world: string
  readonly at: string
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string | readonly string[]>>
  readonly httpStatus: number
  readonly milliseconds: number
  readonly held: number | null
  readonly request: LoggedMessage
  readonly reply: LoggedMessage
}

interface LoggedMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly omitted?: number
}

/** Host of requests that name none. */
const noHost = 'understudy.invalid'

/** Converts an entry of the journal. The journal has hidden the credentials already. */
export function fromJournal(entry: LoggedExchange): RecordedExchange {
  const { sequence, world, at, method, path, query, httpStatus, milliseconds, held, request, reply } = entry
  const search = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(String(each))}`),
  )
  const host = request.headers.host ?? noHost
  return {
    source: 'journal',
    world,
    position: sequence,
    client: world,
    startedAt: Date.parse(at),
    milliseconds: milliseconds + (held ?? 0),
    isOrdered: true,
    request: {
      method,
      url: `http://${host}${path}${search.length === 0 ? '' : `?${search.join('&')}`}`,
      headers: request.headers,
      body: textOf(request),
    },
    reply:
      held === null
        ? undefined
        : { status: httpStatus, headers: reply.headers, body: textOf(reply) ?? noText(reply) },
  }
}

/** The text of a message whose body is empty; `undefined` if the journal has left the body out. */
function noText({ omitted }: LoggedMessage): string | undefined {
  return omitted === undefined ? '' : undefined
}

function textOf({ body }: LoggedMessage): string | undefined {
  return body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
}
