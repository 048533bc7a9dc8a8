import { Maximize2 } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useFaultCount } from '../faults/active-faults.tsx'
import { Frame } from '../frame/frame.tsx'
import { Button, CloseButton, Glyph, Icon, Lamp } from '../parts/index.ts'
import { HiddenErrors } from '../requests/request-row.tsx'
import { usePanel } from '../store/panel.ts'
import { requestCount } from '../store/words.ts'
import { readHotkey } from './hotkey.ts'

/** The panel in the corner of an application's page: a pill when closed, a sheet when open. */
export function Corner({ hotkey = 'Ctrl+Shift+U' }: { readonly hotkey?: string | false | undefined }) {
  const { live } = usePanel()
  const [isOpen, setOpen] = useState(false)
  const pill = useRef<HTMLButtonElement>(null)
  const faults = useFaultCount()
  const toggle = () => setOpen((wasOpen) => !wasOpen)
  useEffect(() => {
    if (isOpen) return () => pill.current?.focus()
    return
  }, [isOpen])
  useEffect(() => {
    if (hotkey === false) return
    const fits = readHotkey(hotkey)
    const onKeyDown = (event: KeyboardEvent) => {
      if (!fits(event)) return
      event.preventDefault()
      toggle()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [hotkey])
  return (
    <div class="corner">
      {isOpen && <Sheet close={toggle} />}
      <button type="button" class="row float pill" ref={pill} aria-expanded={isOpen} onClick={toggle}>
        <Lamp isLit={live.lost.value === undefined} />
        <span>
          <span class="hidden">understudy, world </span>
          {live.world.value}
        </span>
        {faults > 0 && (
          <span class="mark cue">
            <Glyph of="fault" />
            {faults}
            <span class="hidden"> active faults</span>
          </span>
        )}
        <HiddenErrors />
      </button>
    </div>
  )
}

function Sheet({ close }: { readonly close: () => void }) {
  const { live } = usePanel()
  const [isWide, setWide] = useState(false)
  const sheet = useRef<HTMLElement>(null)
  useEffect(() => sheet.current?.focus(), [])
  return (
    <section
      class={`column float sheet${isWide ? ' whole' : ''}`}
      aria-label="understudy"
      ref={sheet}
      tabIndex={-1}
    >
      <div class="row sheet-head">
        <Lamp isLit={live.lost.value === undefined} />
        <b>{live.world.value}</b>
        <span class="lesser">Requests: {requestCount(live.requests.value.length)}</span>
        <Button as="bare push" aria-label="Wider" aria-pressed={isWide} onClick={() => setWide(!isWide)}>
          <Icon of={Maximize2} />
        </Button>
        <CloseButton close={close} />
      </div>
      <div class="sheet-place">
        <Frame isWhole={false} />
      </div>
    </section>
  )
}
