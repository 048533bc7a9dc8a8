import { type ActiveFault, type FaultEffect, type faultKinds, keysOf } from '../library.ts'
import { durationOf } from '../store/words.ts'

type Fault = Omit<ActiveFault, 'id' | 'used'>

/**
 * The words of each kind of fault in a sentence, the value that follows them, and the words beside a request; empty for the
 * value. A reply comes before a delay, since a request shows one of them.
 */
export const effects = {
  error: { words: 'answers with the error', input: 'error', short: '', isInstead: true },
  status: { words: 'answers with HTTP', input: 'status', short: '', isInstead: true },
  badGateway: {
    words: 'is answered by a proxy’s error page',
    input: 'nothing',
    short: "proxy's page",
    isInstead: true,
  },
  hang: { words: 'is never answered', input: 'nothing', short: 'no answer', isInstead: true },
  drop: { words: 'is dropped without a reply', input: 'nothing', short: 'dropped', isInstead: true },
  reset: { words: 'is reset in the middle of the body', input: 'nothing', short: 'reset', isInstead: false },
  truncate: {
    words: 'ends in the middle of its JSON',
    input: 'nothing',
    short: 'half the JSON',
    isInstead: false,
  },
  latency: { words: 'takes', input: 'duration', short: 'slow', isInstead: false },
  slowHeaders: { words: 'delays its first byte by', input: 'duration', short: 'slow', isInstead: false },
  slowBody: { words: 'sends its body over', input: 'duration', short: 'slow', isInstead: false },
} as const satisfies {
  readonly [Effect in FaultEffect]: {
    readonly words: string
    readonly input: 'error' | 'status' | 'duration' | 'nothing'
    readonly short: string
    /** True if it replaces the operation, which may run nevertheless. */
    readonly isInstead: (typeof faultKinds)[Effect] extends { readonly runsOperation: false } ? true : false
  }
}

export type EffectName = keyof typeof effects

/** Returns a duration; of a random one, its mean or the middle of its range. */
export function latencyOf(latency: NonNullable<Fault['latency']>): string {
  if (typeof latency !== 'object') return durationOf(latency)
  return `about ${durationOf('normal' in latency ? latency.normal.mean : latency.lognormal.median)}`
}

/** Returns the effects of a fault: for each its short words and the end of a sentence. */
function effectsOf(fault: Fault): { readonly short: string; readonly end: string }[] {
  return keysOf(effects).flatMap((name) => {
    const value = fault[name]
    if (value === undefined || value === null || value === false) return []
    const { words, short } = effects[name]
    return [{ short: short || shortValue(value), end: `${words} ${valueWords(value)}`.trim() }]
  })
}

function valueWords(value: NonNullable<Fault[EffectName]>): string {
  if (typeof value === 'boolean') return ''
  if (typeof value === 'object' && 'code' in value) return `${value.code} ${value.type ?? ''}`.trim()
  return latencyOf(value)
}

function shortValue(value: NonNullable<Fault[EffectName]>): string {
  if (typeof value !== 'object' || !('code' in value)) return `HTTP ${value}`
  return value.type?.replaceAll('_', ' ') ?? `error ${value.code}`
}

export function isSpent({ used, times }: ActiveFault): boolean {
  return times !== undefined && used >= times
}

/** Describes a fault in two or three words, beside a request that it applied to. */
export function shortOf(fault: Fault): string {
  return effectsOf(fault)[0]?.short ?? 'slow'
}

/** Describes a fault as the end of a sentence: `listPipelines takes 2 s`. */
export function effectOf(fault: Fault): string {
  const ends = effectsOf(fault).map(({ end }) => end)
  return `${ends.join(' and ')}${fault.runs === true ? ', though it is done' : ''}`
}

/** Describes the requests that a fault applies to, as the beginning of a sentence, with the name in it. */
export function whichOf(fault: Fault): { readonly often: string; readonly name: string | undefined } {
  const { operation, method, path, record = {}, probability } = fault
  const records = Object.entries(record).map(([plural, key]) => `${plural} ${key}`)
  const name = [operation, method, path, ...records].filter(Boolean).join(' ') || undefined
  const often = oftenOf(fault)
  if (probability === undefined) return { often, name }
  const which = often === 'Every' ? 'any' : often.toLowerCase()
  return { often: `With a chance of ${Math.round(probability * 100)} %, ${which}`, name }
}

/** Describes a fault as a sentence without its full stop: `The next createPipeline answers with the error 500`. */
export function sentenceOf(fault: Fault): string {
  const { often, name = 'request' } = whichOf(fault)
  return `${often} ${name} ${effectOf(fault)}`
}

function oftenOf({ every = 1, times }: Fault): string {
  if (every > 1) return `Every ${every}${['', '', 'nd', 'rd'][every] ?? 'th'}`
  if (times === undefined) return 'Every'
  return times === 1 ? 'The next' : `The next ${times}`
}
