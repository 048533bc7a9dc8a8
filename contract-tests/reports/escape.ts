/** Replaces halves of characters, which no encoding can write. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\ufffd')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** What a terminal obeys, or what hides how a text reads: control characters, direction marks, what is no character. */
const obeyed = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g

/** Writes characters as JSON and people write them. */
function spelled(text: string): string {
  return text.replaceAll(obeyed, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Makes a text safe inside XML and HTML, attributes included; what is obeyed or forbidden is dropped, but for lines. */
export function escapeMarkup(text: string): string {
  return wellFormed(text)
    .replaceAll(obeyed, (character) => ('\n\t'.includes(character) ? character : ''))
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}

/**
 * Makes a text of a target safe to print: on one line, with nothing that a terminal obeys and nothing that a CI log takes for
 * a command.
 */
export function printable(text: string): string {
  return spelled(wellFormed(text))
    .replaceAll(/^(\s*):(?=:)/g, '$1\\:')
    .replaceAll('##[', '#\\#[')
}

/** A value as JSON in lines, with nothing in it that a terminal obeys. */
export function safeJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).split('\n').map(spelled).join('\n')}\n`
}
