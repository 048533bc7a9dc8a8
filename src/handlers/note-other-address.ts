import { resources } from '../resources/index.ts'
import { quote } from '../shared/errors.ts'

/** The patterns of all handlers with a `baseUrl`: none of their addresses is a mistake. */
const patterns = new Set<string>()

const ofApi = new RegExp(`^.*?/api/(?:${resources.map(({ plural }) => plural).join('|')})(?:/|$)`)

/**
 * Matches requests that look like the API at an address other than `baseUrl`, and warns once for each origin.
 * MSW reports them only as unhandled, and cannot name the `baseUrl` that excludes them.
 */
export function noteOtherAddress(baseUrl: string, { source }: RegExp) {
  patterns.add(source)
  const noted = new Set<string>()
  return {
    pattern: ofApi,
    answer({ request }: { readonly request: Request }): undefined {
      const { origin, pathname } = new URL(request.url)
      const address = `${origin}${pathname}`
      if (noted.has(origin) || [...patterns].some((pattern) => new RegExp(pattern).test(address))) return
      noted.add(origin)
      console.warn(
        `[understudy] The mock does not answer ${request.method} ${address}: its handlers were created with baseUrl ${quote(baseUrl)}.`,
      )
    },
  }
}
