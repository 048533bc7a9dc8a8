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

/** Makes a text safe inside XML and HTML, attributes included; what XML forbids is dropped. */
export function escapeMarkup(text: string): string {
  return wellFormed(text)
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g, '')
    .replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}

/**
 * Makes a text of a target safe to print: on one line, with nothing that a terminal obeys (control characters, direction
 * marks) and nothing that a CI log takes for a command.
 */
export function printable(text: string): string {
  return wellFormed(text)
    .replaceAll(
      /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    .replaceAll(/^(\s*):(?=:)/g, '$1\\:')
    .replaceAll('##[', '#\\#[')
}
