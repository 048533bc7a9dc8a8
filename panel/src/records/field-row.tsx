import { usePanel } from '../store/panel.ts'
import type { AnyRecord } from '../store/table.ts'
import { usePage } from '../store/use-query.ts'
import type { EditedField } from './fields.ts'
import { shownValue } from './select.ts'

const mostChoices = 200
/** Number of characters in a line of the form. */
const lineLength = 40

interface FieldRowProps {
  readonly name: string
  readonly field: EditedField
  readonly text: string
  readonly before: string
  readonly isChanged: boolean
  readonly flaw: string | undefined
  readonly isNew: boolean
  readonly references: string | undefined
  readonly fill: (text: string) => void
}

/** An attribute with its field: the name, the type, the previous value, and the error message of the server. */
export function FieldRow(props: FieldRowProps) {
  const { name, field, text, before, isChanged, flaw, isNew, references, fill } = props
  const { options, takesNull, words } = field
  const id = `field-${name}`
  const nothing = isNew ? 'default' : takesNull ? 'null' : ''
  // By the stored text: a field of another kind would lose the focus while somebody types.
  const isLong = before.length > lineLength || before.includes('\n')
  const hasChoices = references !== undefined
  const was = isChanged && !isNew
  const common = {
    id,
    name,
    value: text,
    'aria-invalid': flaw !== undefined,
    'aria-describedby': `${id}-flaw`,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      fill(event.currentTarget.value),
  }
  return (
    <div class="field">
      <label for={id}>
        {was && <span aria-hidden="true">•</span>}
        {name}
        <span class="push lesser">{words}</span>
      </label>
      {options.length > 0 ? (
        <select {...common}>
          {(nothing !== '' || text === '') && <option value="">{nothing || 'null'}</option>}
          {options.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      ) : isLong && !hasChoices ? (
        <textarea {...common} spellcheck={false} />
      ) : (
        <input
          {...common}
          placeholder={nothing}
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          list={hasChoices ? `${id}-choices` : undefined}
        />
      )}
      {hasChoices && <Choices id={`${id}-choices`} plural={references} />}
      {hasChoices && text.length > lineLength && <p class="lesser breaks">{text}</p>}
      {flaw !== undefined && (
        <p class="flaw" id={`${id}-flaw`}>
          {flaw}
        </p>
      )}
      {was && <p class="lesser">was {before.length > 80 ? `${before.slice(0, 80)}…` : before || 'null'}</p>}
    </div>
  )
}

function Choices({ id, plural }: { readonly id: string; readonly plural: string }) {
  const { live } = usePanel()
  const description = live.resources.value.find((each) => each.plural === plural)
  const { records } = usePage(plural, { limit: mostChoices, reverse: true }) ?? { records: [] }
  if (description === undefined) return null
  return (
    <datalist id={id}>
      {records.map((record: AnyRecord) => {
        const key = String(record[description.key])
        return (
          <option key={key} value={key}>
            {shownValue(record.name)}
          </option>
        )
      })}
    </datalist>
  )
}
