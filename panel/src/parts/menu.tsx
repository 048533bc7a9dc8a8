import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface MenuProps {
  readonly label: string
  readonly as: string
  readonly button: ComponentChildren
  readonly children: (close: () => void) => ComponentChildren
}

/** A button with what opens below it; Escape, a press elsewhere and leaving it by the keyboard close it. */
export function Menu({ label, as, button, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  useEffect(() => {
    if (!isOpen) return
    const leaving = new AbortController()
    for (const name of ['pointerdown', 'focusin']) {
      const elsewhere = (event: Event) => {
        if (whole.current !== null && !event.composedPath().includes(whole.current)) setOpen(false)
      }
      document.addEventListener(name, elsewhere, leaving)
    }
    return () => leaving.abort()
  }, [isOpen])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys are heard from what is inside
    <div
      class="menu-place"
      ref={whole}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        close()
      }}
    >
      <button
        type="button"
        ref={opener}
        class={as}
        aria-label={label}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && <div class="menu">{children(close)}</div>}
    </div>
  )
}
