import type { IconNode } from 'lucide'
import { h } from 'preact'

export function Icon({ of, tone = '' }: { readonly of: IconNode; readonly tone?: string }) {
  return (
    <svg class={`icon ${tone}`} viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes]) => h(tag, { ...attributes }))}
    </svg>
  )
}

/** The logo; its lamp is off where the server does not answer. */
export function Lamp({ isLit }: { readonly isLit: boolean }) {
  return (
    <svg class={`icon lamp${isLit ? ' lit' : ''}`} viewBox="0 0 18 26" aria-hidden="true">
      <circle class="lamp-bulb" cx="9" cy="7" r="3" />
      <path d="M5.6 11.6a5.7 5.7 0 1 1 6.8 0M9 13v11M4.5 24.5h9" />
    </svg>
  )
}
