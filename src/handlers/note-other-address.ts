import { resources } from '../resources/index.ts'
import { quote } from '../shared/errors.ts'
import { escapeRegExp } from '../shared/glob.ts'

/** Patterns of the addresses that need no warning: those of all handlers with a `baseUrl`, and the reported origins. */
const known = new Set<string>()

const ofApi = new RegExp(`/api/(?:${resources.map(({ plural }) => plural).join('|')})(?:/|$)`)

/**
 * Returns a function that warns about a request of the API at an address other than `baseUrl`, once for each origin.
 * MSW reports it only as unhandled, and cannot name the `baseUrl` that excludes it.
 */
export function noteOtherAddress(baseUrl: string, { source }: RegExp): (request: Request) => void {
  known.add(source)
  return ({ method, url }) => {
    const { origin, pathname } = new URL(url)
    const address = origin + pathname
    if (!ofApi.test(pathname) || new RegExp([...known].join('|')).test(address)) return
    known.add(`^${escapeRegExp(origin)}/`)
    console.warn(
      `[understudy] The mock does not answer ${method} ${address}: its handlers were created with baseUrl ${quote(baseUrl)}. Correct one, or put a handler for that server first.`,
    )
  }
}
