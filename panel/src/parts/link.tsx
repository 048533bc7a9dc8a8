import type { ComponentChildren } from 'preact'
import { usePanel } from '../store/panel.ts'
import { useCount } from '../store/use-query.ts'

interface LinkProps {
  readonly to: string
  readonly as?: string
  readonly children: ComponentChildren
  readonly isCurrent?: boolean
  /** False where the Tab key passes over it: among links that arrow keys reach, it stops at one. */
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
        // One who opens it elsewhere gets the page's own address.
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
