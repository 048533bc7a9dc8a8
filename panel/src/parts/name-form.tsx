import { useState } from 'preact/hooks'
import { worldNamePattern, worldNameRule } from '../library.ts'
import { usePanel } from '../store/panel.ts'
import type { Action } from '../store/runner.ts'

interface NameFormProps {
  readonly label: string
  readonly button: string
  readonly placeholder: string
  readonly isWorld?: boolean
  readonly action: (name: string) => Omit<Action, 'title'>
}

/** A name, and what is done with it; once it is done, the field is empty again. */
export function NameForm({ label, button, placeholder, isWorld, action }: NameFormProps) {
  const { runner } = usePanel()
  const [name, setName] = useState('')
  const submit = async (event: Event) => {
    event.preventDefault()
    const outcome = await runner.perform(action(name))
    if ('value' in outcome) setName('')
  }
  return (
    <form class="row" onSubmit={submit}>
      <input
        class="input stretch"
        aria-label={label}
        {...(isWorld && { pattern: worldNamePattern, title: worldNameRule })}
        placeholder={placeholder}
        value={name}
        required
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" class="button small">
        {button}
      </button>
    </form>
  )
}
