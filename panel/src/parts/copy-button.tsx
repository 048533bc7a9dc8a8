import { Copy } from 'lucide'
import { usePanel } from '../store/panel.ts'
import { Icon } from './icon.tsx'

/** Copies a text, and says what it was. */
export function CopyButton({
  text,
  what,
  children,
  as = '',
}: {
  readonly text: () => string
  readonly what: string
  readonly children?: string
  readonly as?: string
}) {
  const { copy } = usePanel()
  return (
    <button
      type="button"
      class={`button ${as}`}
      onClick={() => copy(text(), what)}
      {...(children === undefined && { 'aria-label': `Copy ${what}` })}
    >
      <Icon of={Copy} />
      {children}
    </button>
  )
}

/** Gives a text to the browser as a file. */
export function saveFile(name: string, text: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
