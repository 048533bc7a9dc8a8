import supertest from 'supertest'
import type { Transport } from './transport.ts'

/** Brings requests to a base URL. */
export function overHttp(base: string): Transport {
  return {
    base,
    async send({ method, path, headers, body }, timeout) {
      const call = supertest(base)
        [method.toLowerCase() as 'get'](path)
        .set(headers)
        .timeout(timeout)
        .redirects(0)
        .ok(() => true)
        .buffer(true)
        .parse((response, done) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            text += chunk
          })
          response.on('end', () => done(null, text))
        })
      const reply = await (body === undefined
        ? call
        : call.set('Content-Type', 'application/json').send(body))
      return {
        status: reply.status,
        contentType: String(reply.headers['content-type'] ?? ''),
        text: typeof reply.body === 'string' ? reply.body : '',
      }
    },
  }
}
