import type { ActiveFault, FaultEffect, faultKinds } from '../library.ts'
import { durationOf } from '../store/words.ts'

type Fault = Omit<ActiveFault, 'id' | 'used'>

/** A random latency by what is in its middle. */
export function latencyOf(latency: NonNullable<Fault['latency']>): string {
  if (typeof latency !== 'object') return durationOf(latency)
  return `about ${durationOf('normal' in latency ? latency.normal.mean : latency.lognormal.median)}`
}

/** A kind of fault that answers: in two or three words, and as the end of a sentence; `done`: that it is done all the same. */
interface AnswerWords<Value> {
  short(value: Value): string
  end(value: Value, done: string): string
}

type AnswerEffect = {
  [Effect in FaultEffect]: (typeof faultKinds)[Effect] extends { readonly slows: unknown } ? never : Effect
}[FaultEffect]

const answerWords: { readonly [Effect in AnswerEffect]: AnswerWords<NonNullable<Fault[Effect]>> } = {
  error: {
    short: ({ code, type }) => type?.replaceAll('_', ' ') ?? `error ${code}`,
    end: ({ code, type }, done) => `fails: ${code}${type === undefined ? '' : ` ${type}`}${done}`,
  },
  status: { short: (status) => `HTTP ${status}`, end: (status, done) => `is HTTP ${status}${done}` },
  badGateway: { short: () => "proxy's page", end: (_, done) => `is a proxy's page${done}` },
  hang: { short: () => 'no answer', end: (_, done) => `is never answered${done}` },
  drop: { short: () => 'dropped', end: (_, done) => `is dropped without a reply${done}` },
  reset: { short: () => 'reset', end: () => 'is reset in the middle of the body' },
  truncate: { short: () => 'half the JSON', end: () => 'is cut in the middle of its JSON' },
}

interface FaultText {
  readonly short: string
  readonly end: string
}

/** Returns the words for one effect of a fault; `undefined` where it has another. */
function textOf<Effect extends AnswerEffect>(fault: Fault, effect: Effect): FaultText | undefined {
  const value = fault[effect]
  if (value === undefined || value === null || value === false) return undefined
  const { short, end } = answerWords[effect]
  return { short: short(value), end: end(value, fault.runs === true ? ', though it is done' : '') }
}

const isAnswerEffect = (name: string): name is AnswerEffect => name in answerWords

/** Returns the words for what is answered; `undefined` where a fault is only slow. */
function answerOf(fault: Fault): FaultText | undefined {
  for (const effect of Object.keys(answerWords).filter(isAnswerEffect)) {
    const text = textOf(fault, effect)
    if (text !== undefined) return text
  }
  return undefined
}

/** Describes a fault in two or three words: beside a request that it applied to. */
export function shortOf(fault: Fault): string {
  return answerOf(fault)?.short ?? 'slow'
}

/** Describes a fault as the end of a sentence: `listPipelines takes 2 s`. */
export function effectOf(fault: Fault): string {
  const { latency, slowHeaders, slowBody } = fault
  return [
    answerOf(fault)?.end,
    latency !== undefined && `takes ${latencyOf(latency)}`,
    slowHeaders !== undefined && `delays its first byte by ${durationOf(slowHeaders)}`,
    slowBody !== undefined && `sends its body over ${durationOf(slowBody)}`,
  ]
    .filter(Boolean)
    .join(' and ')
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

function oftenOf({ every = 1, times }: Fault): string {
  if (every > 1) return `Every ${every}${['', '', 'nd', 'rd'][every] ?? 'th'}`
  if (times === undefined) return 'Every'
  return times === 1 ? 'The next' : `The next ${times}`
}
