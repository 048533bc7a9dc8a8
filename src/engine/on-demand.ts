/*
 * Parts of the engine and of the model that a page loads at their first use. They are one module, because bundlers split
 * the code that such a module shares with the rest into a chunk of its own: a second module costs a page 600 bytes. For the
 * same reason, `scripts/build.mjs` adds the engine to it.
 */

export { assumptions } from '../assumptions/index.ts'
export { planDeletion } from '../factories/deletion.ts'
export { describeResources } from '../factories/describe-resources.ts'
export { makeRecord, makeRecords } from '../factories/factory.ts'
export { newestOf, pageOf, spreadOf } from '../factories/page-records.ts'
export { findLastErrors } from '../resources/log/controls/last-errors.ts'
export { advanceToNext, predictNext } from './events/predict-events.ts'
export { toHar } from './journal/har.ts'
export { readInChunks } from './journal/read-in-chunks.ts'
export { listScenarios, signOut, startScenario } from './scenarios/start-scenario.ts'
