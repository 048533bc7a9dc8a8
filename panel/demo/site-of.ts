/**
 * Replaces the list of public suffixes (a hundred kilobytes) that Mock Service Worker brings for the cookies of mocked
 * replies: the demo has one host and sets none, so the last two parts of a name will do.
 */
export function getDomain(name: string): string {
  return name.split('.').slice(-2).join('.')
}
