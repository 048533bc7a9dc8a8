import { Copy, X } from 'lucide'
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { usePanel } from '../store/panel.ts'
import type { Action } from '../store/runner.ts'
import { Icon } from './icon.tsx'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'class'> {
  /** The classes of its style, such as `small primary`. */
  readonly as?: string
}

/** A button; it submits no form. */
export function Button({ as = '', ...attributes }: ButtonProps) {
  return <button type="button" class={`button ${as}`} {...attributes} />
}

export function CloseButton({ close }: { readonly close: () => void }) {
  return (
    <Button as="bare push" aria-label="Close" onClick={close}>
      <Icon of={X} />
    </Button>
  )
}

interface CopyProps {
  readonly text: () => string
  readonly what: string
  /** Absent for an icon alone. */
  readonly children?: string
  readonly as?: string
}

/** Copies a text, and reports what it was. */
export function CopyButton({ text, what, children, as = 'small bare' }: CopyProps) {
  const { copy } = usePanel()
  return (
    <Button
      as={as}
      aria-label={children === undefined ? `Copy ${what}` : undefined}
      onClick={() => copy(text(), what)}
    >
      <Icon of={Copy} />
      {children}
    </Button>
  )
}

interface ActButtonProps extends Omit<Action, 'title'> {
  /** Its accessible name. Default: its words. */
  readonly title?: string
  readonly children: ComponentChildren
  readonly as?: string
  readonly isPressed?: boolean
}

/** A button that performs an action: it shows the call when it has the pointer or the focus. */
export function ActButton({ children, as = '', isPressed, ...action }: ActButtonProps) {
  const { runner, live } = usePanel()
  const isShown = useRef(false)
  const show = () => {
    isShown.current = true
    runner.pending.value = action.does
  }
  const hide = () => {
    isShown.current = false
    runner.pending.value = undefined
  }
  // A button that disappears under the pointer gets no event when the pointer leaves.
  useEffect(() => () => void (isShown.current && hide()), [])
  return (
    <Button
      as={as}
      disabled={live.lost.value !== undefined}
      aria-label={action.title}
      aria-pressed={isPressed}
      // Not by entering: what comes to lie under a pointer that rests would hide the message.
      onPointerMove={({ movementX, movementY }) => {
        if (!isShown.current && (movementX !== 0 || movementY !== 0)) show()
      }}
      onMouseLeave={hide}
      onFocus={show}
      onBlur={hide}
      onClick={() => {
        hide()
        void runner.perform(action)
      }}
    >
      {children}
    </Button>
  )
}
