export { fixture } from './garbage.ts'
export { fuzz, minimize } from './run.ts'
