#!/usr/bin/env node
import module from 'node:module'

// Node keeps what it has compiled for the next start, from 22.1 on; what is loaded before this call is not among it.
const { enableCompileCache } = module as { enableCompileCache?: () => unknown }
enableCompileCache?.()
const { runProgram } = await import('./program.ts')
await runProgram(process.argv.slice(2), process)
