import { BookOpen } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button, CloseButton, Code, CopyButton, Icon, Nothing, saveFile, Toggles } from '../parts/index.ts'
import { codeOf } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { filesOf, toTest } from '../store/recorder.ts'
import { useQuery } from '../store/use-query.ts'
import { countOf } from '../store/words.ts'

/** The line at the bottom: the call that was last, or that a press would make. */
export function CallLine({ element: Place = 'footer' }: { readonly element?: 'footer' | 'section' }) {
  const { live, runner } = usePanel()
  const [isOpen, setOpen] = useState(false)
  const coming = runner.coming.value
  const shown = coming === undefined ? runner.last.value : { act: coming, world: live.world.value }
  const { isError = false, text = '', undo } = (coming === undefined && runner.message.value) || {}
  const call = shown && runner.textOf(shown.act, shown.world)
  const count = runner.done.value.length
  return (
    <Place class="row line" aria-label="Calls">
      {/* What was done is announced politely; a call that would be made is only shown. */}
      <span class="line-message" role="status">
        {text !== '' && <span class={isError ? 'fail' : ''}>{text}</span>}
      </span>
      {undo !== undefined && (
        <button type="button" class="link" onClick={() => void runner.undo(undo())}>
          Undo
        </button>
      )}
      <span class="lesser">{coming !== undefined ? 'Will call' : shown === undefined && 'No call yet'}</span>
      <code class="cut">{isError ? '' : call?.replaceAll(/\s*\n\s*/g, ' ')}</code>
      <Toggles
        label="Language of calls"
        options={['TypeScript', 'curl'] as const}
        isOn={(language) => runner.language.value === language}
        choose={(language) => runner.choose(language)}
        buttons="small"
      />
      {call !== undefined && (
        <CopyButton text={() => call} what="the call" as="small">
          Copy
        </CopyButton>
      )}
      <Button as="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon of={BookOpen} />
        Recorder: {count === 0 ? 'no call yet' : `${countOf(count, 'call')}, as a test`}
      </Button>
      {isOpen && <Recorder close={() => setOpen(false)} />}
    </Place>
  )
}

/** All that was recorded, to copy as a test. */
function Recorder({ close }: { readonly close: () => void }) {
  const { live, runner } = usePanel()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const { start } = runner
  const after = start?.sequence ?? 0
  const newest = live.requests.value[0]?.sequence
  const requests = useQuery('requests', ['since', after, newest], ({ journal }) => journal.entries({ after }))
  const done = runner.done.value
  const isCurl = runner.language.value === 'curl'
  const files = isCurl ? [] : filesOf(start, done)
  const text = () => {
    if (isCurl) return done.map(({ act, world }) => runner.textOf(act, world)).join('\n')
    return start === undefined ? '' : toTest(start, done, requests ?? [], live.resources.value).text
  }
  return (
    <div
      class="recorder"
      role="dialog"
      aria-labelledby="recorder-title"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      <header class="row">
        <h2 id="recorder-title" tabIndex={-1} ref={title}>
          Recorder
        </h2>
        <CloseButton as="push" close={close} />
      </header>
      {done.length === 0 && (
        <Nothing>No actions recorded. Actions that you take here are recorded, to copy as a test.</Nothing>
      )}
      {done.length > 0 && requests === undefined && <Nothing>Loading …</Nothing>}
      {done.length > 0 && requests !== undefined && (
        <>
          <ol class="recorder-calls">
            {done.map(({ act, world }, index) => (
              <li key={index}>
                <code>{codeOf(act, world).text}</code>
              </li>
            ))}
          </ol>
          <Code>{text()}</Code>
          <div class="acts">
            <CopyButton text={text} what={isCurl ? 'the commands' : 'the test'} as="primary">
              {isCurl ? 'Copy the commands' : 'Copy as a test'}
            </CopyButton>
            {files.map(({ name, fixture }) => (
              <Button key={name} onClick={() => saveFile(name, JSON.stringify(fixture, null, 2))}>
                Save {name}
              </Button>
            ))}
            <Button onClick={() => runner.clear()}>Clear</Button>
          </div>
          {files.length > 0 && (
            <p class="lesser">
              start.json is the state before the first call. Save these files beside the test.
            </p>
          )}
        </>
      )}
    </div>
  )
}
