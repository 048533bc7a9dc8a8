interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown
}
declare const trustedTypes: PolicyFactory | undefined

/** Allows one script in browsers that check the URLs of scripts (trusted types). */
export function allowOneScript(address: string): void {
  if (typeof trustedTypes === 'undefined') return
  trustedTypes.createPolicy('default', {
    createScriptURL(url) {
      if (url === address) return url
      throw new TypeError(`No script may come from ${url}.`)
    },
  })
}
