import { useEffect, useRef } from 'preact/hooks'
import { CloseButton } from '../parts/index.ts'

const shortcuts = [
  ['Ctrl K', 'Find a record, run a command, go to a time'],
  ['G, then O R P F T', 'Overview, Requests, Pipelines, Faults, record tables'],
  ['N', 'Go to the next event'],
  ['F', 'Freeze or run the clock'],
  ['/', 'Filter the current view'],
  ['C', 'Copy the last call'],
  ['Arrows, Enter', 'Move through rows, runs and blocks, and open one'],
  ['Ctrl Enter, Esc', 'Save or copy, close'],
  ['?', 'Show this list'],
] as const

/** The list of keyboard shortcuts. */
export function Shortcuts({ close }: { readonly close: () => void }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div
      class="find shortcuts"
      role="dialog"
      aria-modal="true"
      aria-labelledby="shortcuts-title"
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <div class="row">
        <h2 id="shortcuts-title" tabIndex={-1} ref={title}>
          Keyboard shortcuts
        </h2>
        <CloseButton as="push" close={close} />
      </div>
      <dl>
        {shortcuts.map(([keys, action]) => (
          <div key={keys} class="row">
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
