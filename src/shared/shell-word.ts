/** Makes a text one word of a shell command, which leaves it as it is. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
