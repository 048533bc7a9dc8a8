/** Writes bytes in the letters that need no escaping in a URL, without padding (RFC 4648, section 5). */
export function encodeBase64Url(bytes: Uint8Array): string {
  const letters = btoa(String.fromCharCode(...bytes))
  return letters
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/(?<!=)=+$/, '')
}

/** Reads what {@link encodeBase64Url} has written. */
export function decodeBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  )
}
