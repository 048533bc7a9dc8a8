import { Copy, X } from 'lucide'
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import type { Words } from '../store/runner.ts'
import { Icon } from './icon.tsx'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'class'> {
  /** The classes of its style, such as `small primary`. */
  readonly as?: string
}

/** A button; it submits no form. */
export function Button({ as = '', ...attributes }: ButtonProps) {
  return <button type="button" class={`button ${as}`} {...attributes} />
}

/** Closes what it is in. */
export function CloseButton({ as = '', close }: { readonly as?: string; readonly close: () => void }) {
  return (
    <Button as={`bare square ${as}`} aria-label="Close" onClick={close}>
      <Icon of={X} />
    </Button>
  )
}

interface CopyProps {
  readonly text: () => string
  /** Its name in the message. */
  readonly what: string
  /** Absent for an icon alone. */
  readonly children?: string
  readonly as?: string
}

/** Copies a text, and reports what it was. */
export function CopyButton({ text, what, children, as = '' }: CopyProps) {
  const { copy } = usePanel()
  return (
    <Button
      as={as}
      {...(children === undefined && { 'aria-label': `Copy ${what}` })}
      onClick={() => copy(text(), what)}
    >
      <Icon of={Copy} />
      {children}
    </Button>
  )
}

interface ActButtonProps {
  readonly does: Act
  readonly children: ComponentChildren
  readonly as?: string
  /** The message afterwards. */
  readonly message?: Words
  readonly label?: string
  readonly isPressed?: boolean
  /** Called afterwards with the result. */
  readonly done?: (value: unknown) => void
}

/** A button that performs an act: it shows the call when it has the pointer or the focus. */
export function ActButton({ does, children, as, message, label, isPressed, done }: ActButtonProps) {
  const { runner, live } = usePanel()
  const isShown = useRef(false)
  const show = () => {
    isShown.current = true
    runner.coming.value = does
  }
  const hide = () => {
    isShown.current = false
    runner.coming.value = undefined
  }
  // A button that disappears under the pointer gets no event when the pointer leaves.
  useEffect(() => () => void (isShown.current && hide()), [])
  return (
    <Button
      {...(as !== undefined && { as })}
      disabled={live.lost.value !== undefined}
      {...(label !== undefined && { 'aria-label': label })}
      {...(isPressed !== undefined && { 'aria-pressed': isPressed })}
      // Not by entering: what comes to lie under a pointer that rests would hide the message.
      onPointerMove={({ movementX, movementY }) => {
        if (!isShown.current && (movementX !== 0 || movementY !== 0)) show()
      }}
      onMouseLeave={hide}
      onFocus={show}
      onBlur={hide}
      onClick={async () => {
        hide()
        const outcome = await runner.perform(does, message)
        if ('value' in outcome) done?.(outcome.value)
      }}
    >
      {children}
    </Button>
  )
}
