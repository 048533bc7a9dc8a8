/** Default host of `pipeline-understudy serve`. It is not reachable from other machines. */
export const defaultHost = '127.0.0.1'
export const defaultPort = 6789
export const defaultUrl = `http://${defaultHost}:${defaultPort}`
/** Port of `pipeline-understudy proxy`. */
export const defaultProxyPort = 6790

/** Path of a server's own pages and its admin API. No path of the specification starts with it. */
export const ownPath = '/__understudy__'
export const adminPath = `${ownPath}/api`

/** Reports whether an address, or a host in its form, belongs to this machine. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address === '::1' || isLoopbackNumber(address?.replace(/^::ffff:/i, '') ?? '')
}

/** Reports whether a text is one of 127.0.0.0/8. */
export function isLoopbackNumber(text: string): boolean {
  return /^127(?:\.\d{1,3}){3}$/.test(text)
}
