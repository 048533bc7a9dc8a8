import { X } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ResourceDescription } from '../../../src/factories/describe-resources.ts'
import { ActButton } from '../parts/act-button.tsx'
import { Icon } from '../parts/icon.tsx'
import type { Refusal } from '../store/act-runner.ts'
import { act } from '../store/acts.ts'
import { type AnyRecord, tableOf } from '../store/any-table.ts'
import { usePanel } from '../store/panel.ts'
import { FieldRow } from './field-row.tsx'
import { type EditedField, readField, toText, toValue } from './fields.ts'
import { nameRecord } from './select.ts'

/** What is wrong with the fields of a record, by their names. */
type FieldFlaws = Readonly<Record<string, string>>

/** A record beside its table: a field for each attribute, what was changed, what is wrong with it. */
export function Drawer({
  description,
  record,
  close,
  made,
}: {
  readonly description: ResourceDescription
  /** Absent where a new one is made. */
  readonly record: AnyRecord | undefined
  readonly close: () => void
  readonly made: (key: string) => void
}) {
  const { live, runner } = usePanel()
  const { plural, singular, attributes, traits, isOpen } = description
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [flaws, setFlaws] = useState<FieldFlaws>({})
  const [said, setSaid] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus({ preventScroll: true }), [])
  const names = [...new Set([...Object.keys(attributes), ...(isOpen && record ? Object.keys(record) : [])])]
  const fields = new Map(
    names.map((name): [string, EditedField] => [name, readField(attributes[name] ?? {})]),
  )
  const before = (name: string) => toText(record?.[name], fields.get(name)!)
  const changed = Object.keys(texts).filter((name) => texts[name] !== before(name))
  const name = record && nameRecord(description, record)
  const deletion = useDeletion(description, record)

  const save = async () => {
    const values: Record<string, unknown> = {}
    const wrong: Record<string, string> = {}
    for (const each of changed) {
      try {
        values[each] = toValue(texts[each]!, fields.get(each)!)
      } catch (error) {
        wrong[each] = `expected JSON; ${(error as Error).message}`
      }
    }
    if (Object.keys(wrong).length === 0) {
      const outcome = await runner.perform(
        name === undefined ? act('make', singular, chosen, values) : act('update', name, values),
        name === undefined
          ? `A ${singular.replaceAll('_', ' ')} is there.`
          : `${plural} ${name.key} is saved.`,
      )
      if ('value' in outcome) {
        setTexts({})
        setFlaws({})
        setSaid('')
        if (name === undefined) made(nameRecord(description, outcome.value as AnyRecord).key)
        return
      }
      Object.assign(wrong, flawsByName(outcome.error, names))
      setSaid(Object.keys(wrong).length === 0 ? outcome.error.message : '')
    }
    setFlaws(wrong)
    const [first] = names.filter((each) => wrong[each] !== undefined)
    if (first !== undefined) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  return (
    <section class="drawer" aria-labelledby="drawer-title">
      <header>
        <h1 id="drawer-title" tabIndex={-1} ref={title}>
          {name === undefined ? `New ${singular.replaceAll('_', ' ')}` : `${plural} ${name.key}`}
        </h1>
        <span class="lesser">
          {changed.length > 0 && record && `${changed.length} of ${names.length} changed`}
        </span>
        <button type="button" class="button bare square push" aria-label="Close" onClick={close}>
          <Icon of={X} />
        </button>
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
        <div class="drawer-fields">
          {record === undefined && traits.length > 0 && (
            <fieldset class="traits">
              <legend>traits</legend>
              {traits.map((trait) => (
                <label key={trait} class="tag">
                  <input
                    type="checkbox"
                    checked={chosen.includes(trait)}
                    onChange={(event) =>
                      setChosen(
                        event.currentTarget.checked
                          ? [...chosen, trait]
                          : chosen.filter((each) => each !== trait),
                      )
                    }
                  />
                  {trait}
                </label>
              ))}
            </fieldset>
          )}
          {names.map((each) => (
            <FieldRow
              key={each}
              name={each}
              field={fields.get(each)!}
              text={texts[each] ?? before(each)}
              was={record !== undefined && changed.includes(each) ? before(each) || 'null' : undefined}
              flaw={flaws[each]}
              isNew={record === undefined}
              fill={(text) => setTexts((all) => ({ ...all, [each]: text }))}
            />
          ))}
        </div>
        <footer>
          <div class="acts">
            <button type="submit" class="button primary" disabled={live.lost.value !== undefined}>
              {record === undefined ? 'Make' : 'Save'}
            </button>
            {changed.length > 0 && (
              <button
                type="button"
                class="button"
                onClick={() => {
                  setTexts({})
                  setFlaws({})
                }}
              >
                Revert
              </button>
            )}
            {Object.keys(flaws).length > 0 && (
              <span class="fail push" role="alert">
                {Object.keys(flaws).length === 1 ? '1 flaw' : `${Object.keys(flaws).length} flaws`}:{' '}
                {Object.keys(flaws).join(', ')}
              </span>
            )}
          </div>
          {said !== '' && (
            <p class="fail" role="alert">
              {said}
            </p>
          )}
          {name !== undefined && (
            <p class="drawer-delete">
              <ActButton
                as="small"
                does={act('delete', name)}
                says={`${plural} ${name.key} is gone.`}
                done={close}
              >
                Delete
              </ActButton>
              <span class="lesser">{deletion}</span>
            </p>
          )}
        </footer>
      </form>
    </section>
  )
}

/** What a deletion would take along, said before it is done. */
function useDeletion(description: ResourceDescription, record: AnyRecord | undefined): string {
  const { live } = usePanel()
  const [text, setText] = useState('')
  useEffect(() => {
    if (record === undefined) return
    let isOver = false
    const { where } = nameRecord(description, record)
    tableOf(live.of, description.plural)
      .deletion((query) => query.where(where))
      .then(
        (deletion) => !isOver && setText(deletion?.text ?? ''),
        () => undefined,
      )
    return () => {
      isOver = true
    }
  }, [live, description, record])
  return text
}

/** What the server found wrong, at the attribute it names. */
function flawsByName({ flaws }: Refusal, names: readonly string[]): FieldFlaws {
  return Object.fromEntries(
    flaws.flatMap(({ path, expected, found }) => {
      const name = names.find((each) => path.split(/[.[\]]/).includes(each))
      return name === undefined ? [] : [[name, `expected ${expected}; found ${found}`]]
    }),
  )
}
