import supertest from 'supertest'
import { mostBytes, TooLarge } from '../limits.ts'
import type { Transport } from './transport.ts'

/** Brings requests to a base URL. A user in it is sent along, and is in no report. */
export function overHttp(target: string): Transport {
  const { base, authorization } = withoutUser(target)
  return {
    base,
    authorization,
    async send({ method, path, headers, body }, timeout) {
      let tooLarge: TooLarge | undefined
      const call = supertest(base)
        [method.toLowerCase() as 'get'](path)
        .set(headers)
        .timeout(timeout)
        .redirects(0)
        .ok(() => true)
        .buffer(true)
        .parse((response, done) => {
          let text = ''
          let bytes = 0
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            bytes += chunk.length
            if (bytes > mostBytes) {
              tooLarge ??= new TooLarge()
              text = ''
              call.abort()
            } else text += chunk
          })
          response.on('end', () => done(null, text))
        })
      const sent = body === undefined ? call : call.set('Content-Type', 'application/json').send(body)
      const reply = await sent.then(
        (answered) => answered,
        (error: unknown) => {
          throw tooLarge ?? error
        },
      )
      return {
        status: reply.status,
        contentType: String(reply.headers['content-type'] ?? ''),
        text: typeof reply.body === 'string' ? reply.body : '',
        date: reply.headers.date,
        retryAfter: reply.headers['retry-after'],
      }
    },
  }
}

/** Takes a user and a password out of a URL. */
export function withoutUser(target: string): { base: string; authorization: Record<string, string> } {
  const url = new URL(target)
  if (url.username === '' && url.password === '')
    return { base: target.replace(/\/+$/, ''), authorization: {} }
  const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = ''
  url.password = ''
  const authorization = { Authorization: `Basic ${Buffer.from(user).toString('base64')}` }
  return { base: url.href.replace(/\/+$/, ''), authorization }
}
