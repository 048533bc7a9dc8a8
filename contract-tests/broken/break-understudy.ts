import { createFetch } from '../../src/engine/fetch.ts'
import { isApiUrl } from '../../src/engine/handle-request.ts'
import { splitUrl } from '../../src/engine/messages.ts'
import { normalizeRequest } from '../../src/engine/normalize-request.ts'
import { withAnswers } from '../../src/engine/with-answers.ts'
import type { Understudy, UnderstudyReply, UnderstudyRequest } from '../../src/index.ts'
import { type BrokenServer, breakServer } from './define-broken.ts'

/** The reply where a wrong server asks for what is not of the API. */
const nothing: UnderstudyReply = {
  status: 404,
  headers: {},
  body: 'Not found',
  code: 404,
  operation: undefined,
  route: undefined,
}

/** An understudy that is wrong in one way, for every face; all but its answers is the good one's. */
export function breakUnderstudy(good: Understudy, broken: BrokenServer): Understudy {
  const dispatch: Understudy['dispatch'] = (request) => {
    const normal = normalizeRequest(request)
    return isApiUrl(normal.url) ? answer(good, broken, normal) : undefined
  }
  // Attached when it is asked first: who only dispatches has a face of its own.
  let waits: ReturnType<Understudy['attach']> | undefined
  const fetch = createFetch(dispatch, () => {
    waits ??= good.attach({ name: 'the fetch of a wrong server', refuses: {} })
    return waits
  })
  return withAnswers(good, { dispatch, fetch })
}

/** Answers wrongly; what the good one says of its reply stays: the world, the operation, the faults and how they deliver it. */
async function answer(
  good: Understudy,
  broken: BrokenServer,
  request: UnderstudyRequest,
): Promise<UnderstudyReply> {
  let given = nothing
  const headers = textsOf(request.headers)
  const { path, search } = splitUrl(request.url)
  const hasText = typeof request.body === 'string' && request.method !== 'GET' && request.method !== 'HEAD'
  const wrong = breakServer(
    {
      async answer({ method, path, headers: changed, body: text }) {
        given =
          (await good.dispatch({
            ...request,
            method,
            url: path,
            // What was no text is none that can be changed.
            body: typeof request.body === 'symbol' ? request.body : text,
            ...(changed !== headers && { headers: changed }),
          })) ?? nothing
        return { status: given.status, contentType: contentTypeOf(given), text: given.body }
      },
    },
    broken,
  )
  const { status, contentType, text } = await wrong.answer({
    method: request.method,
    path: search === '' ? path : `${path}?${search}`,
    headers,
    body: hasText ? String(request.body) : undefined,
  })
  const isAsGiven = given.status === status && given.body === text && contentTypeOf(given) === contentType
  if (isAsGiven || isFaults(given)) return given
  return {
    ...given,
    status,
    headers: { ...given.headers, ...(contentType !== '' && { 'content-type': contentType }) },
    body: text,
    code: codeOf(text) ?? status,
  }
}

/** Whether a fault has answered: nobody can tell from that what the server does. */
function isFaults({ faults = [], status, delivery }: UnderstudyReply): boolean {
  return faults.length > 0 && (status !== 200 || delivery?.end !== undefined)
}

function contentTypeOf({ headers }: UnderstudyReply): string {
  return headers['content-type'] ?? ''
}

function textsOf(headers: UnderstudyRequest['headers'] = {}): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
}

/** The logical status of a reply that reports an error. */
function codeOf(text: string): number | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly code?: unknown } }
    return typeof error?.code === 'number' ? error.code : undefined
  } catch {
    return undefined
  }
}
