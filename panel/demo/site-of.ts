/**
 * Replaces the list of public suffixes (a hundred kilobytes) of Mock Service Worker, which is for the cookies of mocked
 * replies. The demo has one host and sets no cookies, so the last two parts of a name are enough.
 */
export function getDomain(name: string): string {
  return name.split('.').slice(-2).join('.')
}
