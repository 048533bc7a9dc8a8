import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

interface MenuProps {
  readonly label: string
  readonly button: ComponentChildren
  readonly children: (close: () => void) => ComponentChildren
}

/** A button with what opens below it; Escape, a press elsewhere and leaving it by the keyboard close it. */
export function Menu({ label, button, children }: MenuProps) {
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
    const elsewhere = (event: Event) => {
      if (whole.current !== null && !event.composedPath().includes(whole.current)) setOpen(false)
    }
    const hear = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close()
    }
    whole.current?.addEventListener('keydown', hear, leaving)
    document.addEventListener('pointerdown', elsewhere, leaving)
    document.addEventListener('focusin', elsewhere, leaving)
    return () => leaving.abort()
  }, [isOpen])
  return (
    <div class="menu-place" ref={whole}>
      <button
        type="button"
        ref={opener}
        class="row input"
        aria-label={label}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {button}
      </button>
      {isOpen && <div class="menu float scroll">{children(close)}</div>}
    </div>
  )
}
