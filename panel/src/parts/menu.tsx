import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { CloseButton } from './buttons.tsx'

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
    const elsewhere = (event: Event) => {
      if (whole.current !== null && !event.composedPath().includes(whole.current)) setOpen(false)
    }
    document.addEventListener('pointerdown', elsewhere, leaving)
    document.addEventListener('focusin', elsewhere, leaving)
    return () => leaving.abort()
  }, [isOpen])
  return (
    <div class="menu-place" ref={whole} {...(isOpen && onEscape(close))}>
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
      {isOpen && <div class="menu float scroll">{children(close)}</div>}
    </div>
  )
}

interface DialogProps {
  readonly title: string
  readonly as: string
  readonly close: () => void
  readonly children: ComponentChildren
}

/** A dialog below its title, which takes the focus; Escape closes it. */
export function Dialog({ title, as, close, children }: DialogProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div class={`float scroll ${as}`} role="dialog" aria-label={title} {...onEscape(close)}>
      <div class="row">
        <h2 tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <CloseButton close={close} />
      </div>
      {children}
    </div>
  )
}

function onEscape(close: () => void) {
  return {
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close()
    },
  }
}
