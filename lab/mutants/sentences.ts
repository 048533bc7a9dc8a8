import { sentence } from './mutant.ts'

/*
 * Sentences of the specification that several operators violate.
 */

export const always200 = sentence('Errors', 'Every response carries HTTP status 200')
export const updatedValues = sentence('Update backfill', 'with the updated values')
export const suppliedValue = sentence('States and transitions', 'the supplied value')
export const removedReturned = sentence('States and transitions', 'the removed record is returned')
export const newBackfill = sentence('States and transitions', 'pipeline uuid in the path')
export const listOfPipeline = sentence('Read backfills', 'Pipeline whose backfills are read')
export const deletesBlock = sentence('Delete block', 'deletes a block from a pipeline')
