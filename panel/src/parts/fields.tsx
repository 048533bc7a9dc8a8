import { Search } from 'lucide'
import { Button } from './buttons.tsx'
import { Icon } from './icon.tsx'

interface FilterProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly maxLength?: number
  readonly write: (text: string) => void
}

/** The filter of a list; `/` focuses the first filter of a view. */
export function FilterField({ label, write, ...input }: FilterProps) {
  return (
    <label class="row filter">
      <Icon of={Search} />
      <span class="hidden">{label}</span>
      <input type="search" {...input} onInput={(event) => write(event.currentTarget.value)} />
      <kbd>/</kbd>
    </label>
  )
}

/** A choice: its value, and its label if different. */
export type Option<Value extends string = string> = Value | readonly [value: Value, words: string]

function partsOf<Value extends string>(option: Option<Value>): readonly [value: Value, words: string] {
  return typeof option === 'string' ? [option, option] : option
}

interface SelectProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly Option<Value>[]
  readonly choose: (value: Value) => void
  readonly as?: string
  readonly isDisabled?: boolean
}

export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, value, options, choose, as, isDisabled } = props
  const words = new Map(options.map(partsOf))
  return (
    <select
      class={as}
      aria-label={label}
      value={value}
      disabled={isDisabled}
      onChange={({ currentTarget: { selectedIndex } }) => {
        const chosen = [...words.keys()][selectedIndex]
        if (chosen !== undefined) choose(chosen)
      }}
    >
      {[...words].map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  )
}

interface ToggleProps<Value extends string> {
  readonly label: string
  readonly options: readonly Option<Value>[]
  readonly isOn: (value: Value) => boolean
  readonly choose: (value: Value) => void
  readonly as?: string
}

/** Buttons in a row, of which some are on. */
export function Toggles<Value extends string>({ label, options, isOn, choose, as = '' }: ToggleProps<Value>) {
  return (
    <fieldset class="joined" aria-label={label}>
      {options.map(partsOf).map(([value, words]) => (
        <Button key={value} as={as} aria-pressed={isOn(value)} onClick={() => choose(value)}>
          {words}
        </Button>
      ))}
    </fieldset>
  )
}
