// Parts of the model that a page loads at their first use, in one module, as those of the engine.

export { planDeletion } from './deletion.ts'
export { newestOf, pageOf, spreadOf } from './page-records.ts'
