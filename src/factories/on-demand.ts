// Parts of the model that a page loads at their first use: one module, for the reason in `src/engine/on-demand.ts`.

export { planDeletion } from './deletion.ts'
export { newestOf, pageOf, spreadOf } from './page-records.ts'
