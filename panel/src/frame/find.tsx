import { useEffect, useRef, useState } from 'preact/hooks'
import { Dialog } from '../parts/index.ts'
import { usePanel } from '../store/panel.ts'
import { useDebounced, useQuery, useSnapshots, useTable, useWorlds } from '../store/use-query.ts'
import { useAccess } from './about.tsx'
import { commandsOf, findRecords, fitting, type Offer, typedTime } from './offers.ts'

export function FindOrDo() {
  const panel = usePanel()
  const { runner } = panel
  const [text, setText] = useState('')
  const [place, setPlace] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const scenarios = useQuery('scenarios', [], (of) => of.scenarios.list()) ?? []
  const snapshots = useSnapshots()
  const worlds = useWorlds()
  const access = useAccess()
  const schedules = useTable('pipeline_schedules') ?? []
  const search = useDebounced(text)
  const records = useQuery('found', [search], () => findRecords(panel, search)) ?? []
  const found = [
    ...typedTime(panel, text),
    ...fitting(commandsOf(panel, { scenarios, snapshots, worlds, access, schedules }), text),
    ...(text.trim() === '' ? [] : records),
  ]
  const chosen = Math.min(place, found.length - 1)
  useEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen])

  const offer = found[chosen]
  const does = offer !== undefined && 'does' in offer ? offer.does : undefined
  useEffect(() => {
    runner.pending.value = does
    return () => {
      runner.pending.value = undefined
    }
  }, [runner, JSON.stringify(does)])

  const callOf = (each: Offer) => ('does' in each ? runner.textOf(each.does) : undefined)
  const take = (each: Offer) => {
    panel.closeDialog()
    if ('does' in each) void runner.perform(each)
    else each.take()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) setPlace((chosen + step + found.length) % Math.max(found.length, 1))
    else if (event.key === 'Enter' && offer !== undefined) {
      const call = callOf(offer)
      if (!(event.metaKey || event.ctrlKey)) take(offer)
      else if (call !== undefined) panel.copy(call, 'the call')
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Dialog title="Find or do">
      <input
        class="input"
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
        onKeyDown={onKeyDown}
        autoFocus
      />
      <div id="found" class="scroll" role="listbox" aria-label="What was found" ref={list}>
        {found.map((each, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys and has the focus
          <div
            key={`${each.about}/${each.title}`}
            id={`found-${index}`}
            class="item found-one"
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onMouseMove={() => setPlace(index)}
            onClick={() => take(each)}
          >
            <b class="cut">{each.title}</b>
            <span class="lesser cut">{each.about}</span>
            <code class="cut right soft">{callOf(each)?.replaceAll(/\s*\n\s*/g, ' ')}</code>
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="nothing">No results for “{text.trim()}”.</p>}
      <p class="lesser wide-only">
        <kbd>Enter</kbd> go or do, <kbd>Ctrl Enter</kbd> copy the call, <kbd>Esc</kbd> close
      </p>
    </Dialog>
  )
}
