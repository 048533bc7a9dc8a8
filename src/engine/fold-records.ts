import { foldedTable } from '../factories/folded-table.ts'
import { tableKinds } from '../factories/model.ts'
import { foldings } from '../resources/foldings.ts'

/** From here on tables keep as one what is made at once (`foldings`): what a server is asked for may be much. */
export function foldRecords(): void {
  for (const [plural, folding] of Object.entries(foldings)) tableKinds[plural] = foldedTable(folding)
}
