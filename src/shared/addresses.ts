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

/**
 * Reports whether the header `Host` names this machine, or the host that a server listens on. A page of another site can have its own
 * name resolved to this machine (DNS rebinding). Its requests then name that site.
 */
export function isOwnName(header: string | undefined, host: string | undefined): boolean {
  const [, name] = /^(\[[\da-f:.]+\]|[^:[\]/?#@\\\s]+)(?::\d+)?$/i.exec(header ?? '') ?? []
  if (name === undefined) return false
  const lowered = name.toLowerCase().replace(/\.$/, '')
  if (lowered === 'localhost' || lowered.endsWith('.localhost') || lowered === '[::1]') return true
  return (
    isLoopbackNumber(lowered) ||
    (host !== undefined && lowered.replace(/^\[|\]$/g, '') === host.toLowerCase())
  )
}

/** Reports whether a text is one of 127.0.0.0/8. */
function isLoopbackNumber(text: string): boolean {
  return /^127(?:\.\d{1,3}){3}$/.test(text)
}
