import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** A button with what opens below it; Escape, a press elsewhere and leaving it by the keyboard close it. */
export function Menu({
  label,
  as,
  button,
  opened,
  children,
}: {
  readonly label: string
  readonly as: string
  readonly button: ComponentChildren
  readonly opened?: () => void
  readonly children: (close: () => void) => ComponentChildren
}) {
  const [isOpen, setOpen] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    opener.current?.focus()
  }
  useEffect(() => {
    if (!isOpen) return
    const elsewhere = (event: Event) => {
      if (whole.current !== null && !event.composedPath().includes(whole.current)) setOpen(false)
    }
    document.addEventListener('pointerdown', elsewhere)
    document.addEventListener('focusin', elsewhere)
    return () => {
      document.removeEventListener('pointerdown', elsewhere)
      document.removeEventListener('focusin', elsewhere)
    }
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
        onClick={() => {
          if (!isOpen) opened?.()
          setOpen(!isOpen)
        }}
      >
        {button}
      </button>
      {isOpen && <div class="menu">{children(close)}</div>}
    </div>
  )
}
