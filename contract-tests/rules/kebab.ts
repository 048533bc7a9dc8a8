/** A name as rule ids have it. */
export type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends '_' ? '-' : First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : ''

/** The name of an attribute or operation as rule ids have it: `start-datetime`, `read-block`. */
export function kebab<const Name extends string>(name: Name): Kebab<Name> {
  // The compiler knows of replaceAll only that it gives some text.
  return name.replaceAll(/_|(?=[A-Z])/g, '-').toLowerCase() as Kebab<Name>
}
