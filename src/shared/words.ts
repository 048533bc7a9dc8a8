/** Converts a text and its type to lower case: `GET` to `get`. */
export function lowerCase<Text extends string>(text: Text): Lowercase<Text> {
  return text.toLowerCase() as Lowercase<Text> // TypeScript types the result as any text.
}

/** Converts `pipeline_schedule` to `pipelineSchedule`. */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Converts `pipeline_schedule` and `listBackfills` to `PipelineSchedule` and `ListBackfills`. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** Converts `pipeline_schedule` to `pipeline schedule`. */
export function toWords(name: string): string {
  return name.replaceAll('_', ' ')
}

export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
