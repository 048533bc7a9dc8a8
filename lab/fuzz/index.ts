export { fixture } from './fixture.ts'
export { fuzz, minimize } from './run.ts'
