import type { ComponentChildren, Ref } from 'preact'
import { useId } from 'preact/hooks'
import { Glyph, type Mark } from './glyph.tsx'

interface SectionProps {
  readonly title: ComponentChildren
  readonly note?: ComponentChildren
  readonly aside?: ComponentChildren
  readonly place?: Ref<HTMLElement>
  readonly children: ComponentChildren
}

export function Section({ title, note, aside, place = null, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} ref={place}>
      <div class="row section-head">
        <h2 id={id}>{title}</h2>
        <span class="lesser">{note}</span>
        <span class="row wrap push">{aside}</span>
      </div>
      {children}
    </section>
  )
}

interface ItemProps {
  readonly mark?: Mark
  readonly children: ComponentChildren
  readonly note?: ComponentChildren
  readonly aside?: ComponentChildren
  readonly as?: string
}

/** An item of a list: its text, and a note below it. */
export function Item({ mark, children, note, aside, as = '' }: ItemProps) {
  return (
    <li class={`row top ${as}`}>
      {mark && <Glyph of={mark} />}
      <div class="stretch breaks">
        {children}
        {note && <p class="lesser">{note}</p>}
      </div>
      {aside}
    </li>
  )
}

interface TermsProps {
  readonly of: readonly (readonly [term: string, details: ComponentChildren])[]
  readonly as: string
}

export function Terms({ of, as }: TermsProps) {
  return (
    <dl class={as}>
      {of.map(([term, details]) => (
        <div key={term}>
          <dt class="quiet">{term}</dt>
          <dd class="row breaks">{details}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Preformatted text that scrolls. */
export function Code({ children }: { readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <pre class="code" tabIndex={0}>
      {children}
    </pre>
  )
}

/** An empty view: the reason and the next step. */
export function Empty({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="stack soft nothing">
      <h2 class="title">{title}</h2>
      {children}
    </div>
  )
}

/** One sentence in the place of a list. */
export function Nothing({ children }: { readonly children: ComponentChildren }) {
  return <p class="nothing">{children}</p>
}
