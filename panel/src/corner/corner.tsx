import { Maximize2, X } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Frame } from '../frame/frame.tsx'
import { Glyph } from '../parts/glyph.tsx'
import { Icon, Lamp } from '../parts/icon.tsx'
import { usePanel } from '../store/panel.ts'
import { countOf } from '../store/words.ts'
import { usePurposeCount } from '../wrong/on-purpose.tsx'
import { readHotkey } from './hotkey.ts'
import { SheetGrip, useSheetSize } from './sheet-size.tsx'

/** The panel in the corner of somebody's page: a pill at rest, a sheet when it is asked for. */
export function Corner({ hotkey }: { readonly hotkey: string | false }) {
  const { live } = usePanel()
  const [isOpen, setOpen] = useState(false)
  const [isWide, setWide] = useState(false)
  const [size, resize] = useSheetSize()
  const sheet = useRef<HTMLElement>(null)
  const pill = useRef<HTMLButtonElement>(null)
  const purposes = usePurposeCount()
  const errors = live.hiddenErrors.value
  const turn = useRef<() => void>(() => undefined)
  turn.current = () => {
    setOpen(!isOpen)
    if (isOpen) pill.current?.focus()
  }
  useEffect(() => {
    if (hotkey === false) return
    const fits = readHotkey(hotkey)
    const hear = (event: KeyboardEvent) => {
      if (!fits(event)) return
      event.preventDefault()
      turn.current()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [hotkey])
  useEffect(() => {
    if (isOpen) sheet.current?.focus()
  }, [isOpen])
  return (
    <div class="corner">
      {isOpen && (
        <section
          class={`sheet${isWide ? ' wide' : ''}`}
          aria-label="understudy"
          ref={sheet}
          tabIndex={-1}
          {...(size !== undefined &&
            !isWide && { style: { width: `${size.width}px`, height: `${size.height}px` } })}
        >
          <SheetGrip
            sizeOf={() => sheet.current?.getBoundingClientRect()}
            resize={(next) => {
              setWide(false)
              resize(next)
            }}
          />
          <div class="sheet-head">
            <Lamp isLit={live.lost.value === undefined} />
            <b>{live.world.value}</b>
            <span class="lesser">{countOf(live.requests.value.length, 'request')}</span>
            <button
              type="button"
              class="button bare square push"
              aria-label="Wider"
              aria-pressed={isWide}
              onClick={() => setWide(!isWide)}
            >
              <Icon of={Maximize2} />
            </button>
            <button
              type="button"
              class="button bare square"
              aria-label="Close"
              onClick={() => turn.current()}
            >
              <Icon of={X} />
            </button>
          </div>
          <div class="sheet-place">
            <Frame isWhole={false} />
          </div>
        </section>
      )}
      <button type="button" class="pill" ref={pill} aria-expanded={isOpen} onClick={() => turn.current()}>
        <Lamp isLit={live.lost.value === undefined} />
        <span>
          <span class="hidden">understudy, world </span>
          {live.world.value}
        </span>
        {purposes > 0 && (
          <span class="mark cue">
            <Glyph of="purpose" />
            {purposes}
            <span class="hidden"> wrong on purpose</span>
          </span>
        )}
        {errors > 0 && (
          <span class="mark fail">
            <Glyph of="failed" />
            {errors}
            <span class="hidden"> errors under HTTP 200</span>
          </span>
        )}
      </button>
    </div>
  )
}
