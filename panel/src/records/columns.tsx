import { Columns3 } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import type { ResourceDescription } from '../library.ts'
import { Button, Checks, Icon, Menu } from '../parts/index.ts'
import { readStored, store } from '../store/browser-storage.ts'
import type { AnyRecord } from '../store/table.ts'
import { columnsOf, namesIn } from './select.ts'

/** The columns of a table, what else may be one, and how others are chosen; nothing for the usual ones. */
interface ChosenColumns {
  readonly columns: readonly string[]
  readonly names: readonly string[]
  readonly choose: (columns: readonly string[]) => void
}

/** Returns the chosen columns, or else the most informative ones, which scrolling does not change. */
export function useColumns(description: ResourceDescription, records: readonly AnyRecord[]): ChosenColumns {
  const storedName = `columns-${description.plural}`
  const usual = useRef<readonly string[]>([])
  const [chosen, setChosen] = useState<readonly string[]>(() => readStored(storedName)?.split(' ') ?? [])
  if (usual.current.length === 0 && records.length > 0) usual.current = columnsOf(description, records)
  const names = namesIn(description, records)
  // An attribute of another day may be gone.
  const there = chosen.filter((name) => names.includes(name))
  return {
    names,
    columns: there.length > 0 ? there : usual.current,
    choose(columns) {
      setChosen(columns)
      store(storedName, columns.length === 0 ? null : columns.join(' '))
    },
  }
}

export function ColumnMenu({ plural, columns, names, choose }: ChosenColumns & { readonly plural: string }) {
  const button = (
    <>
      <Icon of={Columns3} /> Columns
    </>
  )
  return (
    <Menu label={`Columns: ${columns.length} of ${names.length}`} as="button" button={button}>
      {() => (
        <fieldset>
          <legend class="label">Columns of {plural}</legend>
          <Checks names={names} checked={columns} choose={choose} as="row item mono" />
          <Button as="small" onClick={() => choose([])}>
            Reset
          </Button>
        </fieldset>
      )}
    </Menu>
  )
}
