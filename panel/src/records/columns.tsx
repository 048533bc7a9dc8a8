import { Columns3 } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import type { ResourceDescription } from '../../../src/factories/describe-resources.ts'
import { Menu } from '../frame/menu.tsx'
import { Icon } from '../parts/icon.tsx'
import type { AnyRecord } from '../store/any-table.ts'
import { keep, readKept } from '../store/kept.ts'
import { columnsOf } from './select.ts'

const keptName = (plural: string) => `columns-${plural}`

/** The columns of a table, what else may be one, and how others are chosen; nothing for the usual ones. */
interface ChosenColumns {
  readonly columns: readonly string[]
  readonly names: readonly string[]
  readonly choose: (columns: readonly string[] | undefined) => void
}

/** The columns of a table: those that were chosen, else those that say most; they stay as they are while one scrolls. */
export function useColumns(
  description: ResourceDescription,
  rows: readonly (AnyRecord | undefined)[],
): ChosenColumns {
  const { plural } = description
  const usual = useRef<readonly string[] | undefined>(undefined)
  const [chosen, setChosen] = useState(() => readKept(keptName(plural))?.split(' '))
  const records = rows.filter((record) => record !== undefined)
  if (usual.current === undefined && records.length > 0) usual.current = columnsOf(description, records)
  const { attributes, isOpen } = description
  const others = isOpen ? records.slice(0, 20).flatMap((record) => Object.keys(record)) : []
  const names = [...new Set([...Object.keys(attributes), ...others])]
  // An attribute of another day may be gone.
  const kept = chosen?.filter((name) => names.includes(name)) ?? []
  return {
    names,
    columns: kept.length > 0 ? kept : (usual.current ?? []),
    choose(columns) {
      const next = columns?.length === 0 ? undefined : columns
      setChosen(next === undefined ? undefined : [...next])
      keep(keptName(plural), next?.join(' ') ?? null)
    },
  }
}

/** Chooses which attributes are columns. */
export function ColumnMenu({ plural, columns, names, choose }: ChosenColumns & { readonly plural: string }) {
  return (
    <Menu
      label={`Columns: ${columns.length} of ${names.length}`}
      as="button"
      button={
        <>
          <Icon of={Columns3} /> Columns
        </>
      }
    >
      {() => (
        <fieldset class="column-choices">
          <legend>Columns of {plural}</legend>
          {names.map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={columns.includes(name)}
                // One is left, so that there is something to open.
                disabled={columns.length === 1 && columns[0] === name}
                onChange={(event) =>
                  choose(
                    event.currentTarget.checked
                      ? [...columns, name]
                      : columns.filter((each) => each !== name),
                  )
                }
              />
              <span class="cut">{name}</span>
            </label>
          ))}
          <button type="button" class="button small" onClick={() => choose(undefined)}>
            As usual
          </button>
        </fieldset>
      )}
    </Menu>
  )
}
