import { Button, Code, CopyButton, Dialog, Nothing, saveFile } from '../parts/index.ts'
import { usePanel } from '../store/panel.ts'
import { filesOf, toTest } from '../store/recorder.ts'
import { useQuery } from '../store/use-query.ts'

export function Recorder() {
  const { live, runner } = usePanel()
  const { start } = runner
  const after = start?.sequence ?? 0
  const newest = live.requests.value[0]?.sequence
  const requests = useQuery('requests', ['since', after, newest], ({ journal }) => journal.entries({ after }))
  const done = runner.done.value
  const isCurl = runner.language.value === 'curl'
  const files = isCurl || start === undefined ? [] : filesOf(start, done)
  const text = () => {
    if (isCurl) return done.map(({ act, world }) => runner.textOf(act, world)).join('\n')
    return start === undefined ? '' : toTest(start, done, requests ?? [], live.resources.value).text
  }
  return (
    <Dialog title="Recorder">
      {done.length === 0 ? (
        <Nothing>No actions recorded. Actions that you take here are recorded, to copy as a test.</Nothing>
      ) : requests === undefined ? (
        <Nothing>Loading …</Nothing>
      ) : (
        <>
          <Code>{text()}</Code>
          <div class="row wrap">
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
    </Dialog>
  )
}
