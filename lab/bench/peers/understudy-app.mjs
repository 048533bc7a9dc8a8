// `createApp` in an Express server of one's own.
import { readFileSync } from 'node:fs'
import { createUnderstudy } from '../../../dist/index.js'
import { createApp } from '../../../dist/server/create-app.js'

const [, , port, file] = process.argv
const fixture = JSON.parse(readFileSync(file, 'utf8'))
createApp(createUnderstudy({ fixture, clock: 'system' })).listen(Number(port), '127.0.0.1')
