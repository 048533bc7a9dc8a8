import { refuseApiPath, shownUrl, suggestUrl } from '../../src/shared/urls.ts'

/**
 * Reads the base URL of a server.
 *
 * @throws Error if it is not a URL, contains credentials, or ends with `/api`.
 */
export function readTarget(url: string): URL {
  if (!URL.canParse(url) || !/^https?:\/\//i.test(url))
    throw new Error(
      `Expected a base URL, such as https://api.example.com; found ${shownUrl(url)}.${suggestUrl(url)}`,
    )
  const target = new URL(url)
  if (target.username !== '' || target.password !== '')
    throw new Error('Expected a base URL without credentials. The app sends its own.')
  if (target.search !== '' || target.hash !== '')
    throw new Error('Expected a base URL without a query or a fragment.')
  refuseApiPath(url)
  return target
}
