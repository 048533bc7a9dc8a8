import type { FaultEffect, faultKinds } from '../../../src/engine/faults/fault-kinds.ts'
import type { ActiveFault } from '../../../src/engine/faults/faults.ts'
import { durationOf } from '../store/words.ts'

type ToldFault = Omit<ActiveFault, 'id' | 'used'>

/** A drawn latency by what is in its middle. */
function latencyOf(latency: NonNullable<ToldFault['latency']>): string {
  if (typeof latency !== 'object') return durationOf(latency)
  return `about ${durationOf('normal' in latency ? latency.normal.mean : latency.lognormal.median)}`
}

/** What is said of a kind that answers: in two or three words, and as the end of a sentence; `done`: that it is done all the same. */
interface FaultWords<Value> {
  short(value: Value): string
  end(value: Value, done: string): string
}

type AnswerEffect = {
  [Effect in FaultEffect]: (typeof faultKinds)[Effect] extends { readonly slows: unknown } ? never : Effect
}[FaultEffect]

const words: { readonly [Effect in AnswerEffect]: FaultWords<NonNullable<ToldFault[Effect]>> } = {
  error: {
    short: ({ code, type }) => type?.replaceAll('_', ' ') ?? `error ${code}`,
    end: ({ code, type }, done) => `fails: ${code}${type === undefined ? '' : ` ${type}`}${done}`,
  },
  status: { short: (status) => `HTTP ${status}`, end: (status, done) => `is HTTP ${status}${done}` },
  badGateway: { short: () => "proxy's page", end: (_, done) => `is a proxy's page${done}` },
  hang: { short: () => 'no answer', end: (_, done) => `is never answered${done}` },
  drop: { short: () => 'hung up', end: (_, done) => `is hung up on${done}` },
  reset: { short: () => 'broken off', end: () => 'breaks off in the middle' },
  truncate: { short: () => 'half the JSON', end: () => 'is cut in the middle of its JSON' },
  stale: {
    short: (lag) => `${durationOf(lag)} behind`,
    end: (lag) => `shows the state of ${durationOf(lag)} ago`,
  },
}

/** The words for what is answered, and the value that they are about; `undefined` where a fault is only slow. */
function answerOf(fault: ToldFault): readonly [FaultWords<unknown>, unknown] | undefined {
  const effect = Object.keys(words).find((name) => isOn(fault[name as AnswerEffect])) as
    | AnswerEffect
    | undefined
  // A row is asked about the value of its own name alone.
  return effect && [words[effect] as FaultWords<unknown>, fault[effect]]
}

const isOn = (value: unknown) => value !== undefined && value !== false

/** What a fault does, in two or three words: beside a request that it struck. */
export function shortOf(fault: ToldFault): string {
  const [told, value] = answerOf(fault) ?? []
  return told?.short(value) ?? 'slow'
}

/** What a fault does, as the end of a sentence: `listPipelines takes 2 s`. */
export function effectOf(fault: ToldFault): string {
  const slow = [
    ...(fault.latency === undefined ? [] : [`takes ${latencyOf(fault.latency)}`]),
    ...(fault.slowHeaders === undefined ? [] : [`waits ${durationOf(fault.slowHeaders)} with its head`]),
    ...(fault.slowBody === undefined ? [] : [`drips for ${durationOf(fault.slowBody)}`]),
  ]
  return [...endingOf(fault), ...slow].join(' and ')
}

function endingOf(fault: ToldFault): string[] {
  const [told, value] = answerOf(fault) ?? []
  return told === undefined ? [] : [told.end(value, fault.runs === true ? ', though it is done' : '')]
}

/** Which requests a fault strikes, as the beginning of a sentence, with the name that stands in it. */
export function whichOf(fault: ToldFault): { readonly often: string; readonly name: string | undefined } {
  const { operation, method, path, record, times, every, probability } = fault
  const parts = [
    ...(operation === undefined ? [] : [operation]),
    ...(method === undefined ? [] : [method]),
    ...(path === undefined ? [] : [path]),
    ...(record === undefined ? [] : Object.entries(record).map(([plural, key]) => `${plural} ${key}`)),
  ]
  const name = parts.length === 0 ? undefined : parts.join(' ')
  const often =
    every !== undefined && every > 1
      ? `Every ${every}${['', '', 'nd', 'rd'][every] ?? 'th'}`
      : times === 1
        ? 'The next'
        : times !== undefined
          ? `The next ${times}`
          : 'Every'
  if (probability === undefined) return { often, name }
  const which = often === 'Every' ? 'any' : often.toLowerCase()
  return { often: `With a chance of ${Math.round(probability * 100)} %, ${which}`, name }
}
