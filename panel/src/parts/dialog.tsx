import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { usePanel } from '../store/panel.ts'
import { CloseButton } from './buttons.tsx'

interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
}

/** The open dialog of the panel: it takes the focus and returns it; Escape and a press elsewhere close it. */
export function Dialog({ title, children }: DialogProps) {
  const { closeDialog } = usePanel()
  const place = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = place.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      class="stack dialog float"
      aria-label={title}
      closedby="any"
      ref={place}
      // The event comes later, when another dialog may have taken its place.
      onClose={() => place.current && closeDialog()}
    >
      <div class="row">
        <h2>{title}</h2>
        <CloseButton close={closeDialog} />
      </div>
      {children}
    </dialog>
  )
}
