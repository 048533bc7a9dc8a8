#!/usr/bin/env node
import module from 'node:module'

// Node keeps what it has compiled for the next start, from 22.8 on; what is loaded before this call is not among it.
const { enableCompileCache } = module as { enableCompileCache?: () => unknown }
enableCompileCache?.()
// No module that may await at its top: it is built as CommonJS.
void import('./program.ts').then(({ runProgram }) => runProgram(process.argv.slice(2), process))
