import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { trackedFiles } from './files.mjs'

const code = /\.(?:ts|tsx|css|mjs|js)$/

/** The buckets of the issue, first match first; what matches none (docs-site, examples, tools) is not counted. */
const buckets = [
  { name: 'panel', paths: /^(?:src\/)?(?:panel|demo)\// },
  { name: 'src', paths: /^src\// },
  { name: 'verifier', paths: /^(?:contract-tests|lab\/(?:mutants|conforming))\// },
  { name: 'tests', paths: /^(?:tests|lab\/(?:tests|attack|fuzz|crash))\// },
  { name: 'scripts', paths: /^(?:scripts|bench|lab)\// },
]

/** The parts of the workspace `lab`, and where they were before it existed. */
const labParts = [
  {
    name: 'mutants and conforming servers',
    paths: /^(?:lab\/(?:mutants|conforming)|contract-tests\/broken)\//,
  },
  { name: 'measure', paths: /^lab\/(?:measure|typos)/ },
  { name: 'bench', paths: /^(?:lab\/)?bench\// },
  { name: 'tests, attacks and fuzzing', paths: /^lab\/(?:tests|attack|fuzz|crash)\// },
  { name: 'scripts', paths: /^lab\// },
]

/** Counts the lines of code per bucket, and per part of `lab`. */
export function countLines(root) {
  const files = trackedFiles(root)
    .filter((path) => code.test(path))
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').split('\n').length - 1 }))
  return { buckets: sumOf(files, buckets), lab: sumOf(files, labParts) }
}

function sumOf(files, parts) {
  const sums = new Map(parts.map(({ name }) => [name, 0]))
  for (const { path, lines } of files) {
    const part = parts.find(({ paths }) => paths.test(path))
    if (part !== undefined) sums.set(part.name, sums.get(part.name) + lines)
  }
  return sums
}
