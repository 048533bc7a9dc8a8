// Makes one file of the chunks that a command always loads: to a start, each file more costs more than its bytes.
import { writeFileSync } from 'node:fs'
import { basename, dirname, relative } from 'node:path'
import { build } from 'esbuild'

/**
 * Merges into one chunk of a split build, which awaits nothing while it is loaded, the chunks that are loaded with it. In
 * their places stands what hands their exports on, for the chunks that are loaded later.
 */
export async function mergeChunks({ outputs }, chunk) {
  const merged = [...loadedBy(outputs, chunk)].filter((path) => path !== chunk)
  // Two chunks may export the same name.
  const namesOf = (path) => outputs[path].exports.map((name) => [name, `${name}_${merged.indexOf(path)}`])
  const handOn = (path) =>
    namesOf(path).map(([name, unique]) => `export { ${name} as ${unique} } from './${basename(path)}'`)
  await build({
    stdin: {
      contents: [...merged.flatMap(handOn), `export * from './${basename(chunk)}'`].join('\n'),
      resolveDir: dirname(chunk),
    },
    outfile: chunk,
    allowOverwrite: true,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    logLevel: 'warning',
    // Chunks import others for their order alone, where those do nothing by themselves.
    logOverride: { 'ignored-bare-import': 'silent' },
    plugins: [laterApart],
  })
  for (const path of merged) {
    const names = namesOf(path).map(([name, unique]) => `${unique} as ${name}`)
    writeFileSync(path, `export{${names}}from"./${relative(dirname(path), chunk)}";\n`)
  }
}

/** A chunk, and those that are loaded with it. */
function loadedBy(outputs, path, known = new Set()) {
  if (known.has(path)) return known
  known.add(path)
  for (const { path: next, kind, external } of outputs[path].imports) {
    if (kind === 'import-statement' && !external) loadedBy(outputs, next, known)
  }
  return known
}

/** What is loaded later stays where it is. */
const laterApart = {
  name: 'later-apart',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    )
  },
}
