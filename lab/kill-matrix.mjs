// Prints which mutants the verifier detects: the built-in ones, or generated ones with --sample N.
// --conforming verifies servers without faults. [--seed N] [--only GLOB] [--json FILE] [--bail]
import { importTypeScript } from './lib/typescript.mjs'

await importTypeScript('lab/mutants/kill-matrix.run.ts')
