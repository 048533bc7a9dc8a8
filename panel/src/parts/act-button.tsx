import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Words } from '../store/act-runner.ts'
import type { Act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'

interface ActButtonProps {
  readonly does: Act
  readonly children: ComponentChildren
  /** How it looks. */
  readonly as?: string
  /** What is said when it is done. */
  readonly says?: Words
  readonly label?: string
  readonly isPressed?: boolean
  /** Called when it has been done, with what came of it. */
  readonly done?: (value: unknown) => void
}

/** A button that does something to the world: it shows its call when it is pointed at or focused. */
export function ActButton({ does, children, as = '', says, label, isPressed, done }: ActButtonProps) {
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
  // What is taken away while it is pointed at hears nothing of the pointer's leaving.
  useEffect(
    () => () => {
      if (isShown.current) runner.coming.value = undefined
    },
    [runner],
  )
  return (
    <button
      type="button"
      class={`button ${as}`}
      disabled={live.lost.value !== undefined}
      {...(label !== undefined && { 'aria-label': label })}
      {...(isPressed !== undefined && { 'aria-pressed': isPressed })}
      // Not by entering: what comes to lie under a pointer that rests would hide what has been said.
      onPointerMove={({ movementX, movementY }) => {
        if (!isShown.current && (movementX !== 0 || movementY !== 0)) show()
      }}
      onMouseLeave={hide}
      onFocus={show}
      onBlur={hide}
      onClick={async () => {
        hide()
        const outcome = await runner.perform(does, says)
        if ('value' in outcome) done?.(outcome.value)
      }}
    >
      {children}
    </button>
  )
}
