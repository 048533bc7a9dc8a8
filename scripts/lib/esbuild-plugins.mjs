// Plugins of esbuild that several builds share.

/** Resolves like esbuild, and marks the module as free of side effects, so that unused code is dropped. */
async function resolveWithoutSideEffects(build, { path, kind, importer, resolveDir }) {
  const resolved = await build.resolve(path, { kind, importer, resolveDir, pluginData: 'resolved' })
  return { ...resolved, sideEffects: false }
}

/** Bundles only what is used of @msw/data: its packages have no side effects, but do not declare it. */
export const queryWithoutSideEffects = {
  name: 'query-without-side-effects',
  setup(build) {
    build.onResolve({ filter: /^(?:@msw\/data|mutative|es-toolkit|outvariant|rettime)/ }, (args) =>
      args.pluginData === 'resolved' ? undefined : resolveWithoutSideEffects(build, args),
    )
  },
}

/** Imports packages at run time, except for those that are bundled with their dependencies. */
export function packagesExternal({ except, withoutSideEffects = false }) {
  const isBundled = ({ path, importer }) => except.includes(path) || importer.includes('/node_modules/')
  return {
    name: 'packages-external',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, (args) => {
        if (args.pluginData === 'resolved') return undefined
        if (!isBundled(args) || args.path.startsWith('node:')) return { path: args.path, external: true }
        return withoutSideEffects ? resolveWithoutSideEffects(build, args) : undefined
      })
    },
  }
}
