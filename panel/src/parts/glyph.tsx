import { Ban, Circle, CircleCheck, CirclePlay, Contrast, Dot, Play, SquareX, Zap } from 'lucide'
import type { EventKind } from '../library.ts'
import { Icon } from './icon.tsx'

/** The marks of present states, and, outlined, of future ones. */
const drawings = {
  completed: CircleCheck,
  executed: CircleCheck,
  failed: SquareX,
  running: CirclePlay,
  cancelled: Ban,
  initial: Circle,
  updated: Contrast,
  not_executed: Circle,
  fires: Play,
  fault: Zap,
  'will-complete': CircleCheck,
  'will-fail': SquareX,
  other: Dot,
} as const

export type Mark = keyof typeof drawings

/** A mark, with a name if there is no text beside it. */
export function Glyph({ of, name }: { readonly of: Mark; readonly name?: string }) {
  return <Icon of={drawings[of]} as={`glyph ${of}`} name={name} />
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
