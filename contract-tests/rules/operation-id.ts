export type { OperationId } from '../../src/resources/table-types.ts'
