/** Returns the properties of an object that are not undefined. */
export function defined<Value extends object>(
  values: Value,
): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}
