// Prints how many milliseconds createUnderstudy takes with a fixture, reading the file left out.
import { readFileSync } from 'node:fs'
import { createUnderstudy } from '../../../dist/index.js'

const fixture = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const start = performance.now()
createUnderstudy({ fixture })
console.log(performance.now() - start)
