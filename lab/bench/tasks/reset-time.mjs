// Prints the median of what reset() takes, in milliseconds, each time after a few changes.
import { readFileSync } from 'node:fs'
import { createUnderstudy } from '../../../dist/index.js'
import { medianTime } from '../../lib/statistics.mjs'

const understudy = createUnderstudy({ fixture: JSON.parse(readFileSync(process.argv[2], 'utf8')) })
const change = (name) =>
  understudy.dispatch({
    method: 'POST',
    url: '/api/pipelines',
    body: JSON.stringify({ pipeline: { name, type: 'python' } }),
  })
const reset = medianTime(200, (index) => {
  understudy.reset()
  change(`changed ${index}`)
})
console.log(await reset)
