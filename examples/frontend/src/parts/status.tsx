/** A shape for each status, because color alone is not accessible: filled is finished, open is not. */
const shapes: Readonly<Record<string, { kind: string; path: string; isFilled?: boolean }>> = {
  completed: { kind: 'good', path: 'M4.6 8.2 7 10.6l4.4-5', isFilled: true },
  executed: { kind: 'good', path: 'M4.6 8.2 7 10.6l4.4-5', isFilled: true },
  failed: { kind: 'bad', path: 'm5.4 5.4 5.2 5.2m0-5.2-5.2 5.2', isFilled: true },
  running: { kind: 'busy', path: 'M8 1.8A6.2 6.2 0 0 1 14.2 8' },
  initial: { kind: 'busy', path: 'M8 4.6V8l2.2 1.6' },
  cancelled: { kind: 'off', path: 'M3.8 12.2 12.2 3.8' },
}
const unknown = { kind: 'off', path: '', isFilled: false }

export function Glyph({ status }: { status: string }) {
  const { kind, path, isFilled } = shapes[status] ?? unknown
  return (
    <svg className={`glyph glyph-${kind}`} viewBox="0 0 16 16" aria-hidden="true">
      {kind === 'bad' ? (
        <rect x="1.6" y="1.6" width="12.8" height="12.8" rx="3" className="glyph-ground" />
      ) : (
        <circle cx="8" cy="8" r="6.4" className={isFilled ? 'glyph-ground' : 'glyph-ring'} />
      )}
      <path d={path} className={isFilled ? 'glyph-mark' : 'glyph-line'} />
    </svg>
  )
}

export function Status({ status }: { status: string }) {
  const { kind } = shapes[status] ?? unknown
  return (
    <span className={`status status-${kind}`}>
      <Glyph status={status} />
      {status}
    </span>
  )
}
