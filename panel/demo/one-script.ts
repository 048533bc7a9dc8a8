/** Where a page checks which scripts it loads: a worker is named to the browser as a text, and this one text is let through. */
export function allowOneScript(address: string): void {
  interface Factory {
    createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown
  }
  const { trustedTypes } = globalThis as { trustedTypes?: Factory }
  trustedTypes?.createPolicy('default', {
    createScriptURL(url) {
      if (url === address) return url
      throw new TypeError(`No script may come from ${url}.`)
    },
  })
}
