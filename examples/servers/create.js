import { createUnderstudy } from 'pipeline-understudy'

/** What each of these servers answers from. */
export const create = () => createUnderstudy({ fixture: { pipelines: [{ name: 'daily sales' }] } })
