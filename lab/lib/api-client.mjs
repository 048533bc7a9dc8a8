// A client of the API that keeps its connections, tells worlds apart by every form of credential, and reads JSON.
import { Agent, request } from 'node:http'

/** A client of one origin, with so many connections at most. */
export function createApiClient(origin, connections = 32) {
  const { hostname, port } = new URL(origin)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    /** Sends a request; the reply is `{ status, body }`, where a body that is no JSON stays a text. */
    send(method, path, { headers = {}, json } = {}) {
      return new Promise((resolve, reject) => {
        const text = json === undefined ? undefined : JSON.stringify(json)
        const sent = request(
          {
            agent,
            hostname,
            port,
            method,
            path,
            headers:
              text === undefined
                ? headers
                : {
                    ...headers,
                    'content-type': 'application/json',
                    'content-length': Buffer.byteLength(text),
                  },
          },
          (response) => {
            const chunks = []
            response.on('data', (chunk) => chunks.push(chunk))
            response.on('error', reject)
            response.on('end', () =>
              resolve({ status: response.statusCode, body: parse(Buffer.concat(chunks).toString()) }),
            )
          },
        )
        sent.on('error', (error) =>
          reject(new Error(`${method} ${origin}${path}: ${error.message}`, { cause: error })),
        )
        sent.end(text)
      })
    },
    close: () => agent.destroy(),
  }
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The forms in which a request can name its world, but for the body, which a balancer does not read. */
export const forms = {
  header: (world) => ({ headers: { 'x-understudy-world': world }, query: '' }),
  key: (world) => ({ headers: { 'x-api-key': `any-key~${world}` }, query: '' }),
  query: (world) => ({ headers: {}, query: `api_key=any-key~${world}` }),
  encoded: (world) => ({ headers: {}, query: `api_key=any-key%7E${world}` }),
}

/** Asks as a world: `ask('GET', '/api/pipelines')`; the form may change with each request. */
export function asWorld(client, world, nextForm) {
  return (method, path, json) => {
    const { headers, query } = forms[nextForm()](world)
    const separator = path.includes('?') ? '&' : '?'
    return client.send(method, query === '' ? path : `${path}${separator}${query}`, { headers, json })
  }
}
