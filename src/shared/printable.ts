/** Characters that control a terminal or change the appearance of a text: control characters, direction marks, noncharacters. */
export const controlCharacters =
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g

/** Replaces lone surrogates, which no encoding can express. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd')
}

/** Escapes a character as in JSON, so that a JSON text stays valid. */
export function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * Makes a text safe to print: on one line, without control characters and without a prefix that GitHub Actions or Azure
 * Pipelines read as a command (`::`, `##[`, `##vso[`). A JSON text stays valid.
 */
export function printable(text: string): string {
  return withoutCommands(wellFormed(text).replaceAll(controlCharacters, escapeCharacter))
}

/** Escapes the prefixes of CI commands in lines that are printable, and may have colors. */
export function withoutCommands(lines: string): string {
  // Line by line: with the flag `m`, the search would start again at each separator within the indentation.
  const escaped = lines
    .split('\n')
    .map((line) =>
      line.replace(
        /^((?:\s|\u001b\[[\d;]*m)*):(?=:)/,
        (_, indentation: string) => indentation + escapeCharacter(':'),
      ),
    )
  return escaped.join('\n').replaceAll(/#(?=#\w*\[)/g, escapeCharacter)
}

export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}
