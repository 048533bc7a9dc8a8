import type { LogFile } from 'pipeline-understudy/api'
import { useEffect, useRef } from 'react'

/** Shows log files; with `follow`, their end stays in view. */
export function LogFiles({ files, follow }: { files: readonly LogFile[]; follow: boolean }) {
  if (files.length === 0) return <p className="lead">Nothing has been written yet.</p>
  return (
    <ul className="files" aria-label="Log files">
      {files.map((file) => (
        <li key={file.path} className="panel">
          <p className="file-name">
            {file.name} <small>{folderOf(file)}</small>
          </p>
          <Content text={file.content ?? ''} follow={follow} />
        </li>
      ))}
    </ul>
  )
}

function folderOf({ path }: LogFile): string {
  return path.split('/').slice(-3, -1).join('/')
}

function Content({ text, follow }: { text: string; follow: boolean }) {
  const element = useRef<HTMLPreElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it moves on with the text
  useEffect(() => {
    if (follow) element.current?.scrollTo({ top: element.current.scrollHeight })
  }, [follow, text])
  return (
    // Keyboard users must reach a scrolling element.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <pre ref={element} tabIndex={0}>
      {linesOf(text).map(({ number, line }) => (
        <span key={number} className={isBad.test(line) ? 'line line-failed' : 'line'}>
          {line}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}

const isBad = /\b(?:ERROR|CRITICAL|failed)\b/

/** Lines are only ever added, so their number is what they are known by. */
function linesOf(text: string) {
  return text
    .trimEnd()
    .split('\n')
    .map((line, number) => ({ number, line }))
}
