#!/usr/bin/env node
import module from 'node:module'

// Before the import of the program, to cache its compiled code, too. Available since Node 22.1.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function')
  module.enableCompileCache()
const { runProgram } = await import('./program.ts')
await runProgram(process.argv.slice(2), process)
