import ky from 'ky'
import { unwrap } from './api-error.ts'

export const client = ky.create({
  prefixUrl: 'https://api.example.com/api/',
  parseJson: (text) => unwrap(JSON.parse(text)),
})
