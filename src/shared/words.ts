/** Writes a text in lower case, and its type as well: `GET` is `get`. */
export function lowerCase<Text extends string>(text: Text): Lowercase<Text> {
  return text.toLowerCase() as Lowercase<Text> // TypeScript types the result as any text.
}

/** `pipeline_schedule` as `pipelineSchedule`. */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** `pipeline_schedule` and `listBackfills` as `PipelineSchedule` and `ListBackfills`. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** `pipeline_schedule` as `pipeline schedule`. */
export function toWords(name: string): string {
  return name.replaceAll('_', ' ')
}

export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
