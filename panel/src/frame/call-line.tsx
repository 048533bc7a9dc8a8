import { BookOpen } from 'lucide'
import { useState } from 'preact/hooks'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { codeOf, curlOf } from '../store/act-code.ts'
import { usePanel } from '../store/panel.ts'
import { countOf } from '../store/words.ts'
import { PromptBook } from './prompt-book.tsx'

/** The line at the bottom: the call that was last, or that a press would make. */
export function CallLine({ as: Place = 'footer' }: { readonly as?: 'footer' | 'section' }) {
  const { live, runner, origin } = usePanel()
  const [isOpen, setOpen] = useState(false)
  const coming = runner.coming.value
  const shown = coming === undefined ? runner.last.value : { act: coming, world: live.world.value }
  const { isError, text = '', undo } = runner.said.value ?? {}
  const isCurl = runner.language.value === 'curl'
  const call =
    shown === undefined
      ? undefined
      : isCurl
        ? curlOf(shown.act, shown.world, origin)
        : `await ${codeOf(shown.act, shown.world)}`
  const count = runner.book.value.length
  return (
    <Place class="line" aria-label="Calls">
      {/* What was done is told politely; a call that would be made is only shown. */}
      <span class="line-said" role="status">
        {coming === undefined && text !== '' && <span class={isError ? 'fail' : ''}>{text}</span>}
      </span>
      {coming === undefined && undo !== undefined && (
        <button type="button" class="link" onClick={() => void runner.perform(undo, 'Taken back.')}>
          Undo
        </button>
      )}
      <span class="label">{coming === undefined ? (shown ? '' : 'No call yet') : 'Would call'}</span>
      <code class="cut">{isError && coming === undefined ? '' : call?.replaceAll(/\s*\n\s*/g, ' ')}</code>
      <fieldset class="joined" aria-label="Language of calls">
        {(['TypeScript', 'curl'] as const).map((language) => (
          <button
            type="button"
            key={language}
            class="button small"
            aria-pressed={runner.language.value === language}
            onClick={() => runner.speak(language)}
          >
            {language}
          </button>
        ))}
      </fieldset>
      {call !== undefined && (
        <CopyButton text={() => call} what="the call" as="small line-copy">
          Copy
        </CopyButton>
      )}
      <button type="button" class="button small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon of={BookOpen} />
        Prompt book: {count === 0 ? 'no call yet' : `${countOf(count, 'call')}, as a test`}
      </button>
      {isOpen && <PromptBook close={() => setOpen(false)} />}
    </Place>
  )
}
