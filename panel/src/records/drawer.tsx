import { useEffect, useRef, useState } from 'preact/hooks'
import { messageOf, type ResourceDescription } from '../library.ts'
import { placeOf } from '../overview/pipeline-table.tsx'
import { ActButton, Button, Checks, CloseButton, Glyph, Link } from '../parts/index.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import type { Refusal } from '../store/runner.ts'
import { type AnyRecord, tableOf } from '../store/table.ts'
import { usePage, useQuery } from '../store/use-query.ts'
import { type EditedField, readField, toText, toValue } from './fields.ts'
import { nameRecord, rankOf, shownValue } from './select.ts'

/** Texts by the names of attributes. */
type Texts = Readonly<Record<string, string>>

interface DrawerProps {
  readonly description: ResourceDescription
  /** Absent where a new one is made. */
  readonly record: AnyRecord | undefined
  readonly close: () => void
  readonly made: (key: string) => void
}

/** A record beside its table: a field for each attribute, its changes and its flaws. */
export function Drawer({ description, record, close, made }: DrawerProps) {
  const { live, runner } = usePanel()
  const { plural, attributes, traits, isOpen } = description
  const singular = description.singular.replaceAll('_', ' ')
  const [texts, setTexts] = useState<Texts>({})
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [flaws, setFlaws] = useState<Texts>({})
  const [message, setMessage] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus({ preventScroll: true }), [])
  const names = [...new Set([...Object.keys(attributes), ...(isOpen && record ? Object.keys(record) : [])])]
  // Attributes without a value come last, and in a new record the key and times, which it gets by itself.
  const isEmpty = (each: string) =>
    Number(
      record === undefined ? each === description.key || /_at$/.test(each) : shownValue(record[each]) === '',
    )
  names.sort(
    (one, other) => isEmpty(one) - isEmpty(other) || rankOf(description, one) - rankOf(description, other),
  )
  const fields = names.map((name) => {
    const field = readField(attributes[name])
    const before = toText(record?.[name], field)
    const text = texts[name] ?? before
    return { name, field, before, text, isChanged: text !== before }
  })
  const changed = fields.filter(({ isChanged }) => isChanged)
  const name = record && nameRecord(description, record)
  const pipeline = record && pipelineOf(plural, record)
  const flawed = names.filter((each) => flaws[each] !== undefined)

  const showFlaws = (found: Texts) => {
    setFlaws(found)
    const first = names.find((each) => found[each] !== undefined)
    if (first !== undefined) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }
  const revert = () => {
    setTexts({})
    setFlaws({})
  }
  const save = async () => {
    const { values, wrong } = readTexts(changed)
    if (Object.keys(wrong).length > 0) return showFlaws(wrong)
    const outcome =
      name === undefined
        ? await runner.perform(act('make', description.singular, chosen, values), `Created a ${singular}.`)
        : await runner.perform(act('update', name, values), `Saved ${plural} ${name.key}.`)
    if ('value' in outcome) {
      revert()
      setMessage('')
      if (name === undefined) made(nameRecord(description, Object(outcome.value)).key)
      return
    }
    const found = flawsByName(outcome.error, names)
    setMessage(Object.keys(found).length === 0 ? outcome.error.message : '')
    showFlaws(found)
  }

  return (
    <section class="drawer" aria-labelledby="drawer-title">
      <header class="row">
        <h1 id="drawer-title" class="cut" tabIndex={-1} ref={title} title={name?.key ?? ''}>
          {name === undefined ? `New ${singular}` : `${shownValue(record?.name) || plural} ${name.key}`}
        </h1>
        <span class="lesser">
          {changed.length > 0 && record && `${changed.length} of ${names.length} changed`}
        </span>
        {pipeline !== undefined && (
          <Link to={pipeline} as="link push">
            Pipeline
          </Link>
        )}
        <CloseButton as={pipeline === undefined ? 'push' : ''} close={close} />
      </header>
      <form
        ref={form}
        noValidate
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void save()
        }}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <div class="drawer-fields stretch scroll">
          {record === undefined && traits.length > 0 && (
            <fieldset class="acts traits">
              <legend>traits</legend>
              <Checks names={traits} checked={chosen} choose={setChosen} as="tag" />
            </fieldset>
          )}
          {fields.map(({ name: each, field, text, before, isChanged }) => (
            <FieldRow
              key={each}
              name={each}
              field={field}
              text={text}
              was={record !== undefined && isChanged ? before || 'null' : undefined}
              flaw={flaws[each]}
              references={description.references[each]}
              isNew={record === undefined}
              fill={(filled) => setTexts((all) => ({ ...all, [each]: filled }))}
            />
          ))}
        </div>
        <footer>
          <div class="acts">
            <button type="submit" class="button primary" disabled={live.lost.value !== undefined}>
              {record === undefined ? 'Create' : 'Save'}
            </button>
            {changed.length > 0 && <Button onClick={revert}>Revert</Button>}
            {flawed.length > 0 && (
              <span class="fail push" role="alert">
                {flawed.length === 1 ? '1 error' : `${flawed.length} errors`}: {flawed.join(', ')}
              </span>
            )}
          </div>
          {message !== '' && (
            <p class="fail" role="alert">
              {message}
            </p>
          )}
          {name !== undefined && (
            <p class="row drawer-delete">
              <ActButton
                as="small"
                does={act('delete', name)}
                message={`Deleted ${plural} ${name.key}.`}
                done={close}
              >
                Delete
              </ActButton>
              <Deletion plural={plural} where={name.where} />
            </p>
          )}
        </footer>
      </form>
    </section>
  )
}

/** Returns the place of the pipeline that a record belongs to, with the run where it is one. */
function pipelineOf(plural: string, { uuid, pipeline_uuid: of, id }: AnyRecord): string | undefined {
  const pipeline = plural === 'pipelines' ? uuid : of
  if (typeof pipeline !== 'string') return undefined
  return plural === 'pipeline_runs' ? `${placeOf(pipeline)}/runs/${id}` : placeOf(pipeline)
}

/** Reads the values of changed fields, and the flaws of their texts. */
function readTexts(changed: readonly { name: string; text: string; field: EditedField }[]) {
  const values: Record<string, unknown> = {}
  const wrong: Record<string, string> = {}
  for (const { name, text, field } of changed) {
    try {
      values[name] = toValue(text, field)
    } catch (error) {
      wrong[name] = `expected JSON; ${messageOf(error)}`
    }
  }
  return { values, wrong }
}

/** The records that a deletion would take along, shown before it is done. */
function Deletion({ plural, where }: { readonly plural: string; readonly where: object }) {
  const text = useQuery(`records/${plural}`, ['deletion', where], async (of) => {
    return (await tableOf(of, plural).deletion((query) => query.where(where)))?.text ?? ''
  })
  return <span class="lesser">{text}</span>
}

/** Returns the flaws that the server found, by the attribute they name. */
function flawsByName({ flaws }: Refusal, names: readonly string[]): Texts {
  return Object.fromEntries(
    flaws.flatMap(({ path, expected, found }) => {
      const name = names.find((each) => path.split(/[.[\]]/).includes(each))
      return name === undefined ? [] : [[name, `expected ${expected}; found ${found}`]]
    }),
  )
}

/** As many records as a pick list offers. */
const mostChoices = 200

/** The records that a reference can name. */
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

interface FieldRowProps {
  readonly name: string
  readonly field: EditedField
  readonly text: string
  /** Its text before it was changed. */
  readonly was: string | undefined
  readonly flaw: string | undefined
  readonly isNew: boolean
  /** The resource that it refers to. */
  readonly references: string | undefined
  readonly fill: (text: string) => void
}

/** An attribute with its field: wire name left, type right, what it was, the flaw below in the server's words. */
function FieldRow({ name, field, text, was, flaw, isNew, references, fill }: FieldRowProps) {
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
  const isLong = text.length > (field.kind === 'json' ? 40 : 60) || text.includes('\n')
  return (
    <div class="field">
      <label for={id}>
        {was !== undefined && <span aria-hidden="true">•</span>}
        {name}
        <span class="push lesser">{field.words}</span>
      </label>
      {field.options.length > 0 ? (
        <select {...common}>
          {(isNew || field.takesNull || text === '') && (
            <option value="">{isNew ? 'default' : 'null'}</option>
          )}
          {field.options.map((each) => (
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
          placeholder={isNew ? 'default' : field.takesNull ? 'null' : ''}
          autocomplete="off"
          spellcheck={false}
          dir="auto"
          type="text"
          {...(references !== undefined && { list: `${id}-choices` })}
        />
      )}
      {references !== undefined && <Choices id={`${id}-choices`} plural={references} />}
      {flaw !== undefined && (
        <p class="row flaw fail breaks" id={`${id}-flaw`}>
          <Glyph of="failed" />
          <span>{flaw}</span>
        </p>
      )}
      {was !== undefined && <p class="lesser">was {was.length > 80 ? `${was.slice(0, 80)}…` : was}</p>}
    </div>
  )
}
