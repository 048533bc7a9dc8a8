import {
  controlCharacters,
  escapeCharacter,
  wellFormed,
  withoutCommands,
} from '../../src/shared/printable.ts'

export { printable, withoutCommands } from '../../src/shared/printable.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Makes a text safe inside XML and HTML, attributes included; drops control characters, except for line breaks. */
export function escapeMarkup(text: string): string {
  return wellFormed(text)
    .replaceAll(controlCharacters, (character) => ('\n\t'.includes(character) ? character : ''))
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** Formats a value as JSON, without control characters and CI commands. */
export function safeJson(value: unknown): string {
  const lines = JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => line.replaceAll(controlCharacters, escapeCharacter))
  return `${withoutCommands(lines.join('\n'))}\n`
}
