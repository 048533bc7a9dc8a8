import type { ComponentChildren, Ref } from 'preact'
import { Lamp } from './icon.tsx'

interface SectionProps {
  readonly title: ComponentChildren
  /** The id of the title, by which the section is a landmark. */
  readonly id?: string
  readonly note?: ComponentChildren
  /** Shown at the right of the title. */
  readonly aside?: ComponentChildren
  readonly as?: string
  readonly place?: Ref<HTMLElement>
  readonly children: ComponentChildren
}

/** A part of a view below its title. */
export function Section({ title, id, note, aside, as, place, children }: SectionProps) {
  return (
    <section
      {...(as !== undefined && { class: as })}
      {...(id !== undefined && { 'aria-labelledby': id })}
      {...(place !== undefined && { ref: place })}
    >
      <div class="section-head">
        <h2 id={id}>{title}</h2>
        {note !== undefined && <span class="lesser">{note}</span>}
        {aside}
      </div>
      {children}
    </section>
  )
}

interface CodeProps {
  readonly children: ComponentChildren
  readonly as?: string
}

/** Text as it is, which scrolls. */
export function Code({ children, as = 'code' }: CodeProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <pre class={as} tabIndex={0}>
      {children}
    </pre>
  )
}

/** A view that has nothing to show: why, and what to do. */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <Lamp isLit />
      <h2>{title}</h2>
      <div class="empty-text">{children}</div>
    </div>
  )
}

/** One sentence in the place of a list. */
export function Nothing({ children }: { readonly children: ComponentChildren }) {
  return <p class="nothing">{children}</p>
}
