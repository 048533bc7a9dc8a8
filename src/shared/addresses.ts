/** Where `understudy serve` listens unless it is told otherwise: nothing outside this machine can reach it. */
export const defaultHost = '127.0.0.1'
/** The port there. */
export const defaultPort = 6789
/** Both, as the address of a server. */
export const defaultUrl = `http://${defaultHost}:${defaultPort}`

/** Where the pages of a server stand beside the API, and its admin API below them: no path of the document begins so. */
export const ownPath = '/__understudy__'
/** Where the admin API is. */
export const adminPath = `${ownPath}/api`

/** Tells whether an address, or a host that is written as one, is this machine's own. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address === '::1' || isLoopbackNumber(address?.replace(/^::ffff:/i, '') ?? '')
}

/** Tells whether a text is one of 127.0.0.0/8. */
export function isLoopbackNumber(text: string): boolean {
  return /^127(?:\.\d{1,3}){3}$/.test(text)
}
