#!/usr/bin/env node
import module from 'node:module'

// Before the import of the program, whose code fails on an older Node with an error that nobody understands.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `pipeline-understudy needs Node 20.19 or newer; this is Node ${process.versions.node}. Install a newer version from https://nodejs.org.`,
  )
  process.exit(1)
}
// Before the import of the program, to cache its compiled code, too. Available since Node 22.1.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function')
  module.enableCompileCache()
const { runProgram } = await import('./program.ts')
await runProgram(process.argv.slice(2), process)
