import { createUnderstudy } from 'pipeline-understudy'

export const understudy = createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })
