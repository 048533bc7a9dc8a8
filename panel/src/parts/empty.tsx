import type { ComponentChildren } from 'preact'

/** What is said where there is nothing: why, and the ways out. */
export function Empty({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <svg class="empty-light" viewBox="0 0 160 170" aria-hidden="true">
        <ellipse class="pool" cx="80" cy="150" rx="62" ry="12" />
        <path d="M80 66v82M66 150h28M68 60a18 18 0 1 1 24 0" />
        <circle class="bulb" cx="80" cy="46" r="8" />
        <path class="ray" d="M80 12v8M46 24l6 6M114 24l-6 6M34 52h8M118 52h8" />
      </svg>
      <h2>{title}</h2>
      <div class="empty-ways">{children}</div>
    </div>
  )
}

/** One sentence in the place of a list. */
export function Nothing({ children }: { readonly children: ComponentChildren }) {
  return <p class="nothing">{children}</p>
}
