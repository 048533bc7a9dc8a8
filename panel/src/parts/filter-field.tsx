import { Search } from 'lucide'
import { Icon } from './icon.tsx'

/** Where a view is asked for a part of what it shows; `/` leads there. */
export function FilterField(field: {
  /** What is filtered, as a reader of the screen says it. */
  readonly of: string
  readonly placeholder: string
  readonly value: string
  readonly maxLength?: number
  readonly write: (text: string) => void
}) {
  const { of, write, ...input } = field
  return (
    <label class="filter">
      <Icon of={Search} />
      <span class="hidden">Filter the {of}</span>
      <input type="search" {...input} onInput={(event) => write(event.currentTarget.value)} />
      <kbd>/</kbd>
    </label>
  )
}
