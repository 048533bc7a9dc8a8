import { type IsSecret, isCredential, isDoubtfulName, isPlainValue, isSecretName } from './secret-names.ts'
import { isNested } from './values.ts'

/**
 * Returns the members of a JSON object or list that are credentials: by their names, or by the name beside them
 * (`{ name: 'password', value: '…' }`, `['password', '…']`). Output and imports hide the same members.
 */
export function secretMembers(value: object, isSecret: IsSecret = isSecretName): ReadonlySet<string> {
  const entries = Object.entries(value)
  const named = entries.filter(([, inner]) => isNameOfSecret(inner, isSecret)).map(([name]) => name)
  const isBesideName = (name: string) => named.some((other) => other !== name)
  if (Array.isArray(value)) {
    const isPair = entries.length === 2 && named.includes('0')
    return new Set(isPair ? ['1'] : [])
  }
  const secrets = entries.filter(
    ([name, inner]) =>
      isCredential(name, inner, isSecret) ||
      (isNested(inner) && isDoubtfulName(name, isSecret) && hasText(inner)) ||
      (isValueName(name) && inner !== null && isBesideName(name)),
  )
  return new Set(secrets.map(([name]) => name))
}

/** Returns whether a member has the name of the value of a pair. */
export function isValueName(name: string): boolean {
  return /^val(?:ue)?s?$/i.test(name)
}

/** Returns whether a value is the name of a credential; no sentence is. */
export function isNameOfSecret(value: unknown, isSecret: IsSecret = isSecretName): boolean {
  return typeof value === 'string' && value.length < 100 && !/\s\S+\s/.test(value) && isSecret(value)
}

/** Returns whether a value has a text at any depth that is neither a number nor a flag. */
function hasText(value: object): boolean {
  return Object.values(value).some((inner: unknown) =>
    typeof inner === 'string' ? !isPlainValue(inner) : isNested(inner) && hasText(inner),
  )
}
