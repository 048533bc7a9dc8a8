// Plugins of esbuild that several builds share.

/** Bundles only what is used of @msw/data: its packages have no side effects, but do not declare it. */
export const queryWithoutSideEffects = {
  name: 'query-without-side-effects',
  setup({ onResolve, resolve }) {
    const filter = /^(?:@msw\/data|mutative|es-toolkit|outvariant|rettime)/
    onResolve({ filter }, async ({ path, pluginData, ...args }) => {
      if (pluginData === 'resolved') return undefined
      const resolved = await resolve(path, { ...args, pluginData: 'resolved' })
      return { ...resolved, sideEffects: false }
    })
  },
}

/** Imports packages at run time, except for those in the bundle with their dependencies. */
export function packagesExternal({ except }) {
  return {
    name: 'packages-external',
    setup({ onResolve }) {
      onResolve({ filter: /^[^./]/ }, ({ path, importer, pluginData }) => {
        const isBundled = except.includes(path) || importer.includes('/node_modules/')
        if (pluginData === 'resolved' || (isBundled && !path.startsWith('node:'))) return undefined
        return { path, external: true }
      })
    },
  }
}
