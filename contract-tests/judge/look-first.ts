import { type Client, TransportError } from './client.ts'
import { decodedToken } from './decoded-token.ts'
import { isObject } from './is-object.ts'
import { CannotJudge, type Checks, credentialsOf, type JudgeOptions } from './options.ts'
import { isError, recordIn } from './replies.ts'

/** Sees whether the target is reachable and of this API, signs in, and finds out which credentials it checks. */
export async function lookFirst(client: Client, options: Omit<JudgeOptions, 'target'>): Promise<Checks> {
  try {
    let first = await client.send('GET', '/api/pipelines')
    if (isError(first) && options.apiKey !== undefined && first.error?.type !== 'unauthorized_access') {
      // The document states the query parameter; only its samples show the header.
      client.credentials = { ...client.credentials, keyIn: 'query' }
      const second = await client.send('GET', '/api/pipelines')
      if (isError(second) && second.error?.type === first.error?.type) {
        client.credentials = credentialsOf(options)
      } else first = second
    }
    if (!isObject(first.body)) {
      const kind = first.contentType.includes('html')
        ? 'HTML'
        : first.contentType || 'something without a content type'
      throw new CannotJudge(
        first.body === undefined
          ? `GET /api/pipelines answers ${kind} with HTTP ${first.httpStatus}; this API answers JSON.`
          : 'GET /api/pipelines answers JSON that is no object: this is another API.',
      )
    }
    if (!Array.isArray(first.body.pipelines) && !Number.isInteger(first.error?.code)) {
      throw new CannotJudge(
        'GET /api/pipelines answers JSON without pipelines or error: this is another API.',
      )
    }
    const { apiKey, email, password } = options
    const strangers = await client.send('GET', '/api/pipelines', {
      credentials: false,
      headers: { 'X-API-KEY': 'no-such-key' },
    })
    const keys = isError(strangers) && apiKey !== undefined && strangers.error?.type !== 'unauthorized_access'
    const keyOnly = await client.send('GET', '/api/pipelines', { credentials: 'key' })
    const tokens = isError(keyOnly)
    if (tokens && options.token === undefined && email !== undefined) {
      const opened = await client.send('POST', '/api/sessions', { body: { session: { email, password } } })
      const raw = recordIn(opened, 'session')?.token
      if (typeof raw !== 'string') {
        throw new CannotJudge(
          client.redact(
            `Signing in as ${email} failed: ${String(opened.error?.message ?? 'no token came back')}.`,
          ),
        )
      }
      client.credentials = { ...client.credentials, token: decodedToken(raw) }
    }
    if (isError(await client.send('GET', '/api/pipelines'))) {
      throw new CannotJudge(
        client.redact(
          `The target refuses the list of pipelines: ${String(first.error?.message)} Pass --api-key, and --email with --password.`,
        ),
      )
    }
    const { keyIn } = client.credentials
    return { keys, tokens, ...(keyIn && { keyIn }) }
  } catch (error) {
    if (error instanceof TransportError) throw new CannotJudge(client.redact(error.message))
    throw error
  }
}
