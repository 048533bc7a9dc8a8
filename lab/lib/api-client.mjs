// A client of the API that names worlds by every kind of credential and reads JSON.

/** Sends a request; the reply is `{ status, body }`, where a body that is not JSON stays a text. */
export async function send(origin, method, path, { headers = {}, json } = {}) {
  const response = await fetch(origin + path, {
    method,
    headers: json === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    body: json === undefined ? undefined : JSON.stringify(json),
  }).catch((error) => {
    throw new Error(`${method} ${origin}${path}: ${error.cause?.message ?? error.message}`, { cause: error })
  })
  return { status: response.status, body: parse(await response.text()) }
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The ways in which a request can name its world, without the body, which a balancer does not read. */
export const forms = {
  header: (world) => ({ headers: { 'x-understudy-world': world }, query: '' }),
  key: (world) => ({ headers: { 'x-api-key': `any-key~${world}` }, query: '' }),
  query: (world) => ({ headers: {}, query: `?api_key=any-key~${world}` }),
  encoded: (world) => ({ headers: {}, query: `?api_key=any-key%7E${world}` }),
}

/** Returns a function that returns the names of the forms in turn. */
export function rotatingForms() {
  const names = Object.keys(forms)
  let count = 0
  return () => names[count++ % names.length]
}

/** Returns a function that sends requests in a world: `ask('GET', '/api/pipelines')`. The form may change each time. */
export function asWorld(origin, world, nextForm) {
  return (method, path, json) => {
    const { headers, query } = forms[nextForm()](world)
    return send(origin, method, path + query, { headers, json })
  }
}
