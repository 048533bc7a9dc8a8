/** An address without the slashes at its end: paths are added to it. */
export function withoutTrailingSlashes(url: string): string {
  return url.replace(/(?<!\/)\/+$/, '')
}
