import { useState } from 'preact/hooks'
import { worldNamePattern, worldNameRule } from '../library.ts'
import type { Act } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'

interface NameFormProps {
  readonly label: string
  readonly button: string
  readonly placeholder: string
  readonly isWorld?: boolean
  readonly does: (name: string) => Act
  readonly message: (name: string) => string
  readonly done?: (name: string) => void
}

/** A name, and what is done with it; once it is done, the field is empty again. */
export function NameForm({
  label,
  button,
  placeholder,
  isWorld = false,
  does,
  message,
  done,
}: NameFormProps) {
  const { runner } = usePanel()
  const [name, setName] = useState('')
  const submit = async (event: Event) => {
    event.preventDefault()
    const outcome = await runner.perform(does(name), message(name))
    if (!('value' in outcome)) return
    setName('')
    done?.(name)
  }
  return (
    <form class="row menu-form" onSubmit={submit}>
      <label class="stretch">
        <span class="hidden">{label}</span>
        <input
          class="input"
          {...(isWorld && { pattern: worldNamePattern, title: worldNameRule })}
          placeholder={placeholder}
          value={name}
          required
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="button small">
        {button}
      </button>
    </form>
  )
}
