import type { InputHTMLAttributes } from 'preact'
import { useId, useState } from 'preact/hooks'
import { usePanel } from '../store/panel.ts'
import type { Action } from '../store/runner.ts'

interface LineFormProps extends Pick<InputHTMLAttributes<HTMLInputElement>, 'pattern' | 'title'> {
  readonly label: string
  readonly button: string
  readonly placeholder: string
  readonly action: (text: string) => Omit<Action, 'title'>
}

/** A text field with an action: success empties the field, a failure shows its reason. */
export function LineForm({ label, button, action, ...input }: LineFormProps) {
  const { runner } = usePanel()
  const [text, setText] = useState('')
  const [flaw, setFlaw] = useState('')
  const id = useId()
  const submit = async (event: Event) => {
    event.preventDefault()
    const outcome = await runner.perform(action(text))
    if ('value' in outcome) setText('')
    setFlaw('error' in outcome ? outcome.error.message : '')
  }
  return (
    <form class="field" onSubmit={submit}>
      <div class="row">
        <input
          {...input}
          aria-label={label}
          aria-invalid={flaw !== ''}
          aria-describedby={id}
          value={text}
          required
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button">
          {button}
        </button>
      </div>
      <p class="flaw" id={id} role="alert">
        {flaw}
      </p>
    </form>
  )
}
