import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { CloseButton } from './buttons.tsx'

interface DialogProps {
  readonly title: string
  readonly close: () => void
  readonly children: ComponentChildren
}

/** A dialog below its title, which takes the focus; Escape and a press elsewhere close it. */
export function Dialog({ title, close, children }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null)
  useEffect(() => place.current?.showModal(), [])
  return (
    <dialog class="stack dialog float" aria-label={title} closedby="any" ref={place} onClose={close}>
      <div class="row">
        <h2>{title}</h2>
        <CloseButton close={close} />
      </div>
      {children}
    </dialog>
  )
}
