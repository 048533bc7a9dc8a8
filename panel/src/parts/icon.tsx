import type { IconNode } from 'lucide'
import { h } from 'preact'

interface IconProps {
  readonly of: IconNode
  readonly as?: string
  /** Its accessible name, where no word is beside it. */
  readonly name?: string | undefined
}

export function Icon({ of, as = 'icon', name }: IconProps) {
  const named = name === undefined ? { 'aria-hidden': true } : { role: 'img' as const, 'aria-label': name }
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: its name is an attribute, or beside it
    <svg class={as} viewBox="0 0 24 24" {...named}>
      {of.map(([tag, attributes]) => h(tag, { ...attributes }))}
    </svg>
  )
}

/** The logo. Its lamp is off while the server does not answer. */
export function Lamp({ isLit }: { readonly isLit: boolean }) {
  return (
    <svg class={`icon lamp${isLit ? ' lit' : ''}`} viewBox="0 0 18 26" aria-hidden="true">
      <circle class="lamp-bulb" cx="9" cy="7" r="3" />
      <path d="M5.6 11.6a5.7 5.7 0 1 1 6.8 0M9 13v11M4.5 24.5h9" />
    </svg>
  )
}
