import type { JSX } from 'preact'
import type { EventKind } from '../library.ts'

const disc = <circle class="filled" cx="7" cy="7" r="6.4" />
const ring = <circle cx="7" cy="7" r="5.7" />
const tick = 'm4.2 7.3 2 2 3.7-4.4'
const cross = 'm4.7 4.7 4.6 4.6m0-4.6L4.7 9.3'
const done = [disc, <path key="tick" class="cut" d={tick} />]
const crossedOut = [ring, <path key="line" d="m3.2 10.8 7.6-7.6" />]

/** The marks of what is, or, outlined, of what will be. */
const drawings = {
  completed: done,
  executed: done,
  failed: [
    <rect key="box" class="filled" x="0.8" y="0.8" width="12.4" height="12.4" rx="2.5" />,
    <path key="cross" class="cut" d={cross} />,
  ],
  running: [ring, <path key="play" class="filled" d="M5.8 4.7v4.6L9.3 7z" />],
  cancelled: crossedOut,
  initial: <circle cx="7" cy="7" r="5.7" stroke-dasharray="1 2.5" />,
  updated: [ring, <path key="half" class="filled" d="M7 1.3a5.7 5.7 0 0 0 0 11.4z" />],
  not_executed: ring,
  fires: <path d="M3.6 2.3v9.4L11.8 7z" />,
  fault: <path class="filled" d="M7.8 1 2.6 7.8h3.9L5.8 13l5.4-6.8H7.1z" />,
  'will-complete': [ring, <path key="tick" d={tick} />],
  'will-fail': [
    <rect key="box" x="1.4" y="1.4" width="11.2" height="11.2" rx="2" />,
    <path key="cross" d={cross} />,
  ],
  other: <circle class="filled" cx="7" cy="7" r="2" />,
} as const satisfies Readonly<Record<string, JSX.Element | readonly JSX.Element[]>>

export type Mark = keyof typeof drawings

/** A mark; it has a name where no word is beside it. */
export function Glyph({ of, name }: { readonly of: Mark; readonly name?: string }) {
  const named = name === undefined ? { 'aria-hidden': true } : { role: 'img' as const, 'aria-label': name }
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: its name is an attribute, or beside it
    <svg class={`glyph ${of}`} viewBox="0 0 14 14" {...named}>
      {drawings[of]}
    </svg>
  )
}

const isMark = (text: unknown): text is Mark => typeof text === 'string' && text in drawings

export function markOf(status: unknown): Mark {
  return isMark(status) ? status : 'other'
}

const scheduledMarks: Readonly<Record<EventKind, Mark>> = {
  starts: 'running',
  completes: 'will-complete',
  fails: 'will-fail',
  cancels: 'cancelled',
  waits: 'initial',
  fires: 'fires',
  skips: 'cancelled',
  expires: 'cancelled',
}

export function scheduledMark(kind: EventKind): Mark {
  // A server of a later release may know other kinds.
  return scheduledMarks[kind] ?? 'fires'
}
