type Kebab<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}-${Kebab<Rest>}`
  : Name

/** The name of an attribute as rule ids have it: `start_datetime` is `start-datetime`. */
export function kebab<const Name extends string>(name: Name): Kebab<Name> {
  // The compiler knows of replaceAll only that it gives some text.
  return name.replaceAll('_', '-') as Kebab<Name>
}
