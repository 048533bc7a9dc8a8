import { useEffect, useRef } from 'preact/hooks'
import { Button, CloseButton, Code, CopyButton, Nothing, saveFile } from '../parts/index.ts'
import { codeOf } from '../store/acts.ts'
import { usePanel } from '../store/panel.ts'
import { filesOf, toTest } from '../store/recorder.ts'
import { useQuery } from '../store/use-query.ts'

/** All that was recorded, to copy as a test. */
export function Recorder({ close }: { readonly close: () => void }) {
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
