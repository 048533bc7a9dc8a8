import { Glyph } from '../parts/glyph.tsx'
import type { EditedField } from './fields.ts'

/** An attribute with its field: wire name left, type right, what it was, the flaw below in the server's words. */
export function FieldRow({
  name,
  field,
  text,
  was,
  flaw,
  isNew,
  fill,
}: {
  readonly name: string
  readonly field: EditedField
  readonly text: string
  readonly was: string | undefined
  readonly flaw: string | undefined
  readonly isNew: boolean
  readonly fill: (text: string) => void
}) {
  const id = `field-${name}`
  const common = {
    id,
    name,
    value: text,
    'aria-invalid': flaw !== undefined,
    ...(flaw !== undefined && { 'aria-describedby': `${id}-flaw` }),
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      fill(event.currentTarget.value),
  }
  const isLong =
    field.kind === 'json' ? text.length > 40 || text.includes('\n') : text.includes('\n') || text.length > 60
  const options = field.kind === 'boolean' ? ['true', 'false'] : field.options
  return (
    <div class="field">
      <label for={id}>
        {was !== undefined && (
          <span class="dot" aria-hidden="true">
            •
          </span>
        )}
        {name}
        <span class="field-type">{field.words}</span>
      </label>
      {options.length > 0 ? (
        <select {...common}>
          {(isNew || field.takesNull || text === '') && (
            <option value="">{isNew ? 'as usual' : 'null'}</option>
          )}
          {options.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      ) : isLong ? (
        <textarea {...common} rows={Math.min(12, text.split('\n').length + 1)} spellcheck={false} />
      ) : (
        <input
          {...common}
          placeholder={isNew ? 'as usual' : field.takesNull ? 'null' : ''}
          autocomplete="off"
          spellcheck={false}
          dir="auto"
        />
      )}
      {flaw !== undefined && (
        <p class="flaw" id={`${id}-flaw`}>
          <Glyph of="failed" />
          <span>{flaw}</span>
        </p>
      )}
      {was !== undefined && <p class="lesser">was {was.length > 80 ? `${was.slice(0, 80)}…` : was}</p>}
    </div>
  )
}
