/** Tells whether an address, or a host that is written as one, is this machine's own. */
export function isLoopbackAddress(address: string | undefined): boolean {
  return address === '::1' || isLoopbackNumber(address?.replace(/^::ffff:/i, '') ?? '')
}

/** Tells whether a text is one of 127.0.0.0/8. */
export function isLoopbackNumber(text: string): boolean {
  return /^127(?:\.\d{1,3}){3}$/.test(text)
}
