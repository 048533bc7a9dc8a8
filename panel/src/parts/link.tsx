import type { ComponentChildren } from 'preact'
import { usePanel } from '../store/panel.ts'
import { useCount } from '../store/use-query.ts'

interface LinkProps {
  readonly to: string
  readonly as?: string
  readonly children: ComponentChildren
  readonly isCurrent?: boolean
  /** False if the Tab key skips it: among links that arrow keys reach, only one is a stop. */
  readonly isStop?: boolean
}

export function Link({ to, as = '', children, isCurrent = false, isStop = true }: LinkProps) {
  const { routes } = usePanel()
  return (
    <a
      href={routes.href(to)}
      class={as}
      tabIndex={isStop ? undefined : -1}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={(event) => {
        // A new tab opens the URL of the page itself.
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        routes.go(to)
      }}
    >
      {children}
    </a>
  )
}

export function RecordCount({ plural }: { readonly plural: string }) {
  return <span class="count">{useCount(plural)?.toLocaleString('en')}</span>
}
