import { useEffect, useRef, useState } from 'preact/hooks'
import { codeOf, curlOf } from '../store/act-code.ts'
import { usePanel } from '../store/panel.ts'
import {
  commandsOf,
  eventsFor,
  type FindableNames,
  findRecords,
  fitting,
  type Offer,
  typedMoment,
} from './offers.ts'

const nothing: FindableNames = { scenarios: [], snapshots: [] }
/** Who types is not asked for between two letters. */
const pause = 120

/** One field that finds records, places and acts; each act shows its call before it is done. */
export function FindOrDo({ close }: { readonly close: () => void }) {
  const panel = usePanel()
  const { live, runner, routes, origin } = panel
  const [text, setText] = useState('')
  const [place, setPlace] = useState(0)
  const [names, setNames] = useState(nothing)
  const [records, setRecords] = useState<readonly Offer[]>([])
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const world = live.world.value
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    const read = async () => {
      const [scenarios, snapshots] = await Promise.all([live.of.scenarios.list(), live.of.snapshots()])
      setNames({ scenarios, snapshots: snapshots.filter((name) => !name.startsWith('before-the-last')) })
    }
    read().catch(() => setNames(nothing))
  }, [live, world])
  useEffect(() => {
    let isOver = false
    const timer = setTimeout(() => {
      findRecords(panel, text).then(
        (found) => isOver || setRecords(found),
        () => isOver || setRecords([]),
      )
    }, pause)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [panel, text])
  const found = [
    ...typedMoment(panel, text),
    ...fitting(commandsOf(panel, names), text),
    ...eventsFor(panel, text),
    ...(text.trim() === '' ? [] : records),
  ]
  const chosen = Math.min(place, found.length - 1)
  useEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen])

  const does = found[chosen] !== undefined && 'does' in found[chosen] ? found[chosen].does : undefined
  const doesKey = JSON.stringify(does)
  useEffect(() => {
    runner.coming.value = does
    return () => {
      runner.coming.value = undefined
    }
  }, [runner, doesKey])

  const callOf = (each: Offer) =>
    'does' in each
      ? runner.language.value === 'curl'
        ? curlOf(each.does, world, origin)
        : `await ${codeOf(each.does, world)}`
      : undefined
  const take = (each: Offer) => {
    close()
    if ('does' in each) void runner.perform(each.does, each.says)
    else if ('world' in each) live.world.value = each.world
    else routes.go(each.goes)
  }
  const hear = (event: KeyboardEvent) => {
    const each = found[chosen]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setPlace((chosen + step + found.length) % Math.max(found.length, 1))
    else if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && each !== undefined) {
      const call = callOf(each)
      if (!(event.metaKey || event.ctrlKey)) take(each)
      else if (call !== undefined) panel.copy(call, 'the call')
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="find" role="dialog" aria-modal="true" aria-label="Find or do">
      <input
        ref={field}
        class="find-field"
        role="combobox"
        aria-label="Find or do"
        aria-expanded="true"
        aria-controls="found"
        aria-autocomplete="list"
        {...(found.length > 0 && { 'aria-activedescendant': `found-${chosen}` })}
        placeholder="Find a record, do something, or go to a time such as 18:00 or tomorrow"
        value={text}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setPlace(0)
        }}
        onKeyDown={hear}
        onBlur={close}
      />
      <div id="found" class="found" role="listbox" aria-label="What was found" ref={list}>
        {found.map((each, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard in the field, which keeps the focus
          <div
            key={`${each.about}/${each.title}`}
            id={`found-${index}`}
            class="found-one"
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onMouseMove={() => setPlace(index)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(each)}
          >
            <b class="cut">{each.title}</b>
            <span class="lesser cut">{each.about}</span>
            <code class="cut">{callOf(each)?.replaceAll(/\s*\n\s*/g, ' ')}</code>
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="nothing">Nothing has “{text.trim()}” in it.</p>}
      <p class="find-keys lesser">
        <kbd>Enter</kbd> go or do, <kbd>Ctrl Enter</kbd> copy the call, <kbd>Esc</kbd> close
      </p>
    </div>
  )
}
