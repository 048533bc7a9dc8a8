import { credentialLocations } from './credentials.ts'

/** What stands in the place of a credential that is not shown. */
export const hidden = '***'

const headers = new Set(
  credentialLocations
    .filter((location) => location.in === 'header' || location.in === 'cookie')
    .map((location) => (location.in === 'cookie' ? location.in : location.name.toLowerCase())),
)
const names = new Set(
  credentialLocations.filter((location) => location.in !== 'header').map(({ name }) => name.toLowerCase()),
)
/** What else is called as credentials are, whoever it is for. */
const secretHeader = /^proxy-authorization$|cookie|token|api-?key|secret|password/i
const secretName = /^(?:api-?key|password|secret|authorization|(?:\w+[-_])?token)$/i

/** Tells whether a header carries a credential: those of the document ("Authentication"), and what else is called so. */
export function isSecretHeader(name: string): boolean {
  return headers.has(name.toLowerCase()) || secretHeader.test(name)
}

/** Tells whether what stands under a name, in a path, query or body, is a credential. */
export function isSecretName(name: string): boolean {
  return names.has(name.toLowerCase()) || secretName.test(name)
}
