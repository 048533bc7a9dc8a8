import { useEffect, useRef, useState } from 'preact/hooks'
import { messageOf, type ResourceDescription } from '../library.ts'
import { placeOf } from '../overview/pipeline-table.tsx'
import { ActButton, Button, CloseButton, Link } from '../parts/index.ts'
import { act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import type { Refusal } from '../store/runner.ts'
import { type AnyRecord, tableOf } from '../store/table.ts'
import { useQuery } from '../store/use-query.ts'
import { FieldRow } from './field-row.tsx'
import { type EditedField, readField, toText, toValue } from './fields.ts'
import { nameRecord, namesIn, rankOf, shownValue } from './select.ts'

type Texts = Readonly<Record<string, string>>

export interface DrawerProps {
  readonly description: ResourceDescription
  readonly record: AnyRecord | undefined
  readonly close: () => void
  readonly made: (key: string) => void
}

export function Drawer({ description, record, close, made }: DrawerProps) {
  const { live, runner } = usePanel()
  const { plural, attributes, traits } = description
  const singular = description.singular.replaceAll('_', ' ')
  const [texts, setTexts] = useState<Texts>({})
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [flaws, setFlaws] = useState<Texts>({})
  const [message, setMessage] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus({ preventScroll: true }), [])
  const fields = namesOf(description, record).map((name) => {
    const field = readField(attributes[name])
    const before = toText(record?.[name], field)
    const text = texts[name] ?? before
    return { name, field, before, text, isChanged: text !== before }
  })
  const changed = fields.filter(({ isChanged }) => isChanged)
  const name = record && nameRecord(description, record)
  const pipeline = record && pipelineOf(plural, record)
  const invalidFields = fields.flatMap((field) => (flaws[field.name] === undefined ? [] : [field.name]))

  const showErrors = (found: Texts) => {
    setFlaws(found)
    const first = fields.find((field) => found[field.name] !== undefined)
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first.name}"]`)?.focus()
  }
  const revert = () => {
    setTexts({})
    setFlaws({})
    setMessage('')
  }
  const save = async () => {
    const { values, wrong } = readTexts(changed)
    if (Object.keys(wrong).length > 0) return showErrors(wrong)
    const outcome = await runner.perform(
      name === undefined
        ? { does: act('make', description.singular, chosen, values), message: `Created a ${singular}.` }
        : { does: act('update', name, values), message: `Saved ${plural} ${name.key}.` },
    )
    if ('value' in outcome) {
      revert()
      if (name === undefined) made(nameRecord(description, Object(outcome.value)).key)
      return
    }
    const found = errorsByName(
      outcome.error,
      fields.map((field) => field.name),
    )
    setMessage(Object.keys(found).length === 0 ? outcome.error.message : '')
    showErrors(found)
  }

  return (
    <section class="column drawer" aria-labelledby="drawer-title">
      <header class="row">
        <h1 id="drawer-title" class="breaks" tabIndex={-1} ref={title}>
          {name === undefined ? `New ${singular}` : `${shownValue(record?.name) || plural} ${name.key}`}
        </h1>
        <span class="lesser">
          {changed.length > 0 && record && `${changed.length} of ${fields.length} changed`}
        </span>
        {pipeline !== undefined && (
          <Link to={pipeline} as="link push">
            Pipeline
          </Link>
        )}
        <CloseButton close={close} />
      </header>
      <form
        class="column stretch"
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
        <div class="stack drawer-fields stretch scroll">
          {record === undefined && traits.length > 0 && (
            <fieldset class="row wrap traits">
              <legend>traits</legend>
              {traits.map((trait) => (
                <label key={trait} class="mark">
                  <input
                    type="checkbox"
                    checked={chosen.includes(trait)}
                    onChange={({ currentTarget: { checked } }) =>
                      setChosen(checked ? [...chosen, trait] : chosen.filter((each) => each !== trait))
                    }
                  />
                  {trait}
                </label>
              ))}
            </fieldset>
          )}
          {fields.map((field) => (
            <FieldRow
              key={field.name}
              {...field}
              flaw={flaws[field.name]}
              references={description.references[field.name]}
              isNew={record === undefined}
              fill={(filled) => setTexts((all) => ({ ...all, [field.name]: filled }))}
            />
          ))}
        </div>
        <footer class="stack">
          <div class="row wrap">
            <button type="submit" class="button primary" disabled={live.lost.value !== undefined}>
              {record === undefined ? 'Create' : 'Save'}
            </button>
            {changed.length > 0 && <Button onClick={revert}>Revert</Button>}
            <span class="fail" role="alert">
              {invalidFields.length > 0 &&
                `${invalidFields.length === 1 ? '1 error' : `${invalidFields.length} errors`}: `}
              {invalidFields.join(', ') || message}
            </span>
          </div>
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

/**
 * Returns the attributes of a record, important ones first. Those without a value come last, and in a new record the key
 * and times, which the mock sets.
 */
function namesOf(description: ResourceDescription, record: AnyRecord | undefined): string[] {
  const { key } = description
  const isLast = (name: string) =>
    record === undefined ? name === key || /_at$/.test(name) : shownValue(record[name]) === ''
  return namesIn(description, record === undefined ? [] : [record]).sort(
    (one, other) =>
      Number(isLast(one)) - Number(isLast(other)) || rankOf(description, one) - rankOf(description, other),
  )
}

/** Returns the view of the pipeline that a record belongs to; of a run, with the run. */
function pipelineOf(plural: string, { uuid, pipeline_uuid: of, id }: AnyRecord): string | undefined {
  const pipeline = plural === 'pipelines' ? uuid : of
  if (typeof pipeline !== 'string') return undefined
  return plural === 'pipeline_runs' ? `${placeOf(pipeline)}/runs/${id}` : placeOf(pipeline)
}

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

/** The dependent records of a deletion, shown before it. */
function Deletion({ plural, where }: { readonly plural: string; readonly where: object }) {
  const text = useQuery(`records/${plural}`, ['deletion', where], async (of) => {
    return (await tableOf(of, plural).deletion((query) => query.where(where)))?.text ?? ''
  })
  return <span class="lesser">{text}</span>
}

/** Returns the flaws that the server found, by the attribute they name. */
function errorsByName({ flaws }: Refusal, names: readonly string[]): Texts {
  return Object.fromEntries(
    flaws.flatMap(({ path, expected, found }) => {
      const name = names.find((each) => path.split(/[.[\]]/).includes(each))
      return name === undefined ? [] : [[name, `expected ${expected}; found ${found}`]]
    }),
  )
}
