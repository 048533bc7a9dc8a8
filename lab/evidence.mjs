// Writes docs/evidence.md. [--seed N] [--sample MUTANTS] [--combinations SERVERS] [--compared MUTANTS for Schemathesis]
// The environment variable SCHEMATHESIS names its command, unless that is on the PATH.
import { importTypeScript } from './lib/typescript.mjs'

await importTypeScript('lab/evidence/evidence.run.ts')
