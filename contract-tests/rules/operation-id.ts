/** The id of an operation of the table in `src/resources`. */
export type OperationId = string
