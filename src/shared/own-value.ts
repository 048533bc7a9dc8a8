/** What a record has under a name: a record of any attributes may be asked for one that every object inherits. */
export function ownValue(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
