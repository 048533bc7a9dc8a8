import { X } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { CopyButton, saveFile } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { codeOf, curlOf } from '../store/act-code.ts'
import { usePanel } from '../store/panel.ts'
import { filesOf, toTest } from '../store/prompt-book.ts'

/** All that was done in this sitting, to take along as a test. */
export function PromptBook({ close }: { readonly close: () => void }) {
  const { live, runner, origin } = usePanel()
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const { start } = runner
  const done = runner.book.value
  const files = filesOf(start, done)
  const isCurl = runner.language.value === 'curl'
  const test = () =>
    start === undefined ? '' : toTest(start, done, live.requests.value, live.resources.value)
  const commands = () => done.map(({ act, world }) => curlOf(act, world, origin)).join('\n')
  return (
    <div
      class="book"
      role="dialog"
      aria-labelledby="book-title"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        close()
      }}
    >
      <header>
        <h2 id="book-title" tabIndex={-1} ref={title}>
          Prompt book
        </h2>
        <button type="button" class="button bare square" aria-label="Close" onClick={close}>
          <Icon of={X} />
        </button>
      </header>
      {done.length === 0 ? (
        <p class="nothing">
          Nothing has been done yet. What you do here is written down, and copies as a test.
        </p>
      ) : (
        <>
          <ol class="book-calls">
            {done.map(({ act, world }, index) => (
              <li key={index}>
                <code>{codeOf(act, world)}</code>
              </li>
            ))}
          </ol>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <pre class="code" tabIndex={0}>
            {isCurl ? commands() : test()}
          </pre>
          <div class="acts">
            <CopyButton
              text={isCurl ? commands : test}
              what={isCurl ? 'the commands' : 'the test'}
              as="primary"
            >
              {isCurl ? 'Copy the commands' : 'Copy as a test'}
            </CopyButton>
            {!isCurl &&
              files.map(({ name, fixture }) => (
                <button
                  key={name}
                  type="button"
                  class="button"
                  onClick={() => saveFile(name, JSON.stringify(fixture, null, 2))}
                >
                  Save {name}
                </button>
              ))}
            <button type="button" class="button" onClick={() => runner.clear()}>
              Begin anew
            </button>
          </div>
          {files.length > 0 && !isCurl && (
            <p class="lesser">
              start.json is the world as it was before the first of these calls. Put what you save beside the
              test.
            </p>
          )}
        </>
      )}
    </div>
  )
}
