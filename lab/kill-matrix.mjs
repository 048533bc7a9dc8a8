// Prints which mutants the verifier detects: the shipped ones, or with --sample N generated ones; --conforming verifies
// servers that must raise no finding. [--seed N] [--only GLOB] [--json FILE] [--bail]
import { importTypeScript } from './lib/typescript.mjs'

await importTypeScript('lab/mutants/kill-matrix.run.ts')
