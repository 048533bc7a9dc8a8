// Writes docs/evidence.md. [--seed N] [--sample MUTANTS] [--combinations SERVERS] [--compared MUTANTS for Schemathesis]
// The environment variable SCHEMATHESIS names its command, unless that is on the PATH.
import { runTypeScript } from './lib/run-typescript.mjs'

await runTypeScript('lab/evidence/evidence.run.ts')
