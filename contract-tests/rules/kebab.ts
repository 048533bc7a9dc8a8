/** A name in the form of rule ids. */
export type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends '_' ? '-' : First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : ''

/** Converts the name of an attribute or operation to the form of rule ids: `start-datetime`, `read-block`. */
export function kebab<const Name extends string>(name: Name): Kebab<Name> {
  // For the compiler, `replaceAll` returns any text.
  return name.replaceAll(/_|(?=[A-Z])/g, '-').toLowerCase() as Kebab<Name>
}
