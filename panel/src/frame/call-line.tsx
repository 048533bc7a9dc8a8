import { BookOpen } from 'lucide'
import { Button, CopyButton, Icon, Toggles } from '../parts/index.ts'
import { usePanel } from '../store/panel.ts'
import { countOf } from '../store/words.ts'

export function CallLine({ element: Place = 'footer' }: { readonly element?: 'footer' | 'section' }) {
  const { live, runner, dialog } = usePanel()
  const pending = runner.pending.value
  const shown = pending === undefined ? runner.last.value : { act: pending, world: live.world.value }
  const { isError = false, text = '', undo } = (pending === undefined && runner.message.value) || {}
  const call = shown && runner.textOf(shown.act, shown.world)
  const count = runner.done.value.length
  return (
    <Place class="row line" aria-label="Calls">
      {/* Screen readers announce a finished action, not the preview of a call. */}
      <span class="line-message" role="status">
        {text !== '' && <span class={isError ? 'fail' : ''}>{text}</span>}
      </span>
      {undo !== undefined && (
        <button type="button" class="link" onClick={() => void runner.undo(undo())}>
          Undo
        </button>
      )}
      <span class="lesser">{pending !== undefined ? 'Will call' : shown === undefined && 'No call yet'}</span>
      <code class="cut stretch">{isError ? '' : call?.replaceAll(/\s*\n\s*/g, ' ')}</code>
      <Toggles
        label="Language of calls"
        options={['TypeScript', 'curl'] as const}
        isOn={(language) => runner.language.value === language}
        choose={(language) => runner.choose(language)}
        as="small"
      />
      {call !== undefined && (
        <CopyButton text={() => call} what="the call" as="small">
          Copy
        </CopyButton>
      )}
      <Button as="small" onClick={() => (dialog.value = 'recorder')}>
        <Icon of={BookOpen} />
        Recorder: {count === 0 ? 'no call yet' : `${countOf(count, 'call')}, as a test`}
      </Button>
    </Place>
  )
}
