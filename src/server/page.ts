/** Headers of the panel's page: it runs its own scripts and sends requests to its own server only. */
export const pageHeaders = {
  'content-security-policy': policyOf("'none'"),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

export const scriptHeaders = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  // Clients ask for it each time, and receive it only after a change.
  'cache-control': 'no-cache',
}

/** The icon of the page: the lit lamp. */
const icon = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='-4 0 26 26'><circle cx='9' cy='7' r='6' fill='%23e8a917'/><path d='M9 13v11M4 24.500h10' stroke='%23666560' stroke-width='2'/></svg>`

/** Returns the content security policy: own scripts, inline images, and the given style sheets. */
export function policyOf(styles: "'none'" | "'self'"): string {
  return `default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; style-src ${styles}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

/** Parts of a page. Its URLs are relative, so that a host can mount it anywhere. */
interface Page {
  readonly title: string
  readonly head?: string
  readonly body: string
  /** Attributes of the root element, with a space before them. */
  readonly attributes?: string
}

export function pageOf({ title, head = '', body, attributes = '' }: Page): string {
  return `<!doctype html>
<html lang="en"${attributes}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:image/svg+xml,${icon}"><title>${title}</title>${head}</head>
<body>${body}</body></html>
`
}
