import { defaultUrl } from '../../shared/addresses.ts'
import { withoutTrailingSlashes } from '../../shared/urls.ts'
import { type Check, type DoctorFinding, good, warning, wrong } from './finding.ts'
import { type Examined, sentBody, sentHeaders } from './probe.ts'

const names = Object.keys(sentHeaders)

/** The possible problems of an address and of the proxies before it. */
export const addressChecks: readonly Check<Examined>[] = [
  {
    name: 'answers',
    look({ address: { url }, reply, replyUnderApiTwice }) {
      const expected = 'an understudy that answers GET /api/pipelines'
      if (reply === undefined) {
        const way = 'Start `pipeline-understudy serve`, and the proxy before it; or correct the address.'
        return [wrong(url, { expected, found: 'nothing answers', way })]
      }
      if (reply.isEnvelope) return [good(url, 'answers as the service would')]
      const found = `HTTP ${reply.httpStatus}, ${reply.type}, which is no reply of the service`
      const way = replyUnderApiTwice?.isEnvelope
        ? 'The proxy takes /api away: let it hand paths on as they are, without a rewrite.'
        : 'Have the proxy hand /api on to the understudy, with the path as it is; or correct the address.'
      return [wrong(url, { expected, found, way })]
    },
  },
  {
    name: 'admin',
    look({ address: { server }, refused }) {
      if (refused === undefined) return []
      const expected = 'that it says what arrives through the address'
      const way = `Name with --server where the understudy itself listens, such as ${defaultUrl}, and with --admin-token its token, if it has one.`
      return [warning(`the admin API of ${server}`, { expected, found: refused, way })]
    },
  },
  {
    name: 'arrives',
    look({ address: { url, server }, reply, refused, received }) {
      if (reply === undefined || refused !== undefined || received !== undefined) return []
      const expected = `in the journal of ${server}`
      const way = `${url} leads to something else, or ${server} keeps no journal (--journal 0): name with --server where the understudy listens.`
      return [wrong('what is asked for', { expected, found: 'nothing of it', way })]
    },
  },
  {
    name: 'path',
    look({ path, received }) {
      if (received === undefined) return []
      if (received.path === path) return [good('the path', 'arrives as it was sent')]
      const way = /^\/api\/api\//.test(received.path)
        ? 'The proxy puts /api before paths that have it: leave it out of the target of the proxy.'
        : 'Let the proxy hand paths on as they are.'
      return [wrong('the path', { expected: path, found: received.path, way })]
    },
  },
  {
    name: 'headers',
    look({ received }) {
      if (received === undefined) return []
      const missing = names.filter((name) => received.request.headers[name] === undefined)
      if (missing.length === 0) return [good('headers', `${names.join(', ')} arrive`)]
      const found = `${missing.join(', ')} ${missing.length === 1 ? 'does' : 'do'} not`
      const way =
        'Have the proxy hand on all headers that a client sends, these by name where it has a list of them.'
      return [wrong('headers', { expected: `${names.join(', ')} arrive`, found, way })]
    },
  },
  {
    name: 'bodies',
    look({ received }) {
      if (received === undefined) return []
      const expected = JSON.stringify(sentBody)
      const found = JSON.stringify(received.request.body) ?? 'no body'
      if (found === expected) return [good('bodies', 'arrive as they were sent')]
      const way =
        'The proxy has read the body before it hands the request on: put it before express.json() and its like.'
      return [wrong('bodies', { expected, found, way })]
    },
  },
]

/** Normalizes an address; the result mentions a removed `/api`. */
export function readAddress(given: string): { readonly url: string } | DoctorFinding {
  const url = withoutTrailingSlashes(given)
  const user = URL.canParse(url) ? new URL(url) : { username: '', password: '' }
  if (user.username !== '' || user.password !== '') {
    const expected = 'an address without credentials'
    const way = 'Leave out what stands before the @. The mock server has its own credentials.'
    return wrong('the address', { expected, found: 'a user before the @', way })
  }
  if (!/\/api$/.test(url)) return { url }
  const expected = `an address without /api, which paths begin with: ${url.replace(/\/api$/, '')}`
  const way = `Leave /api out, here and in the application: else it asks for ${url}/api/pipelines.`
  return wrong(given, { expected, found: given, way })
}
