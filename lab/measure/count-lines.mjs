import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { trackedFiles } from './files.mjs'

const code = /\.(?:ts|tsx|css|mjs|js)$/

/** Groups of files: the first match applies. Files without a match (docs-site, examples, tools) are not counted. */
const buckets = [
  { name: 'panel', paths: /^panel\// },
  { name: 'src', paths: /^src\// },
  { name: 'verifier', paths: /^(?:contract-tests|lab\/(?:mutants|conforming))\// },
  { name: 'tests', paths: /^(?:tests|lab\/(?:tests|attack|fuzz|crash))\// },
  { name: 'scripts', paths: /^(?:scripts|lab)\// },
]

/** Counts the lines of code per bucket. */
export function countLines(root) {
  const sums = new Map(buckets.map(({ name }) => [name, 0]))
  for (const path of trackedFiles(root).filter((path) => code.test(path))) {
    const bucket = buckets.find(({ paths }) => paths.test(path))
    if (bucket === undefined) continue
    const lines = readFileSync(join(root, path), 'utf8').split('\n').length - 1
    sums.set(bucket.name, sums.get(bucket.name) + lines)
  }
  return sums
}
