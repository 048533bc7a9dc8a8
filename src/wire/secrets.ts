/** What stands in the place of a credential that is not shown. */
export const hidden = '***'

const secretHeader = /^(?:proxy-)?authorization$|cookie|token|api-?key|secret|password/i
const secretName = /^(?:api[-_]?key|password|secret|authorization|(?:\w+[-_])?token)$/i

/** Tells whether a header carries a credential: those of the document ("Authentication"), and what else is called so. */
export function isSecretHeader(name: string): boolean {
  return secretHeader.test(name)
}

/** Tells whether what stands under a name, in a path, query or body, is a credential. */
export function isSecretName(name: string): boolean {
  return secretName.test(name)
}
