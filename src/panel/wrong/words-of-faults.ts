import type { ActiveFault } from '../../engine/faults/faults.ts'
import { durationOf } from '../store/words.ts'

type ToldFault = Omit<ActiveFault, 'id' | 'used'>

/** A drawn latency by what is in its middle. */
function latencyOf(latency: NonNullable<ToldFault['latency']>): string {
  if (typeof latency !== 'object') return durationOf(latency)
  return `about ${durationOf('normal' in latency ? latency.normal.mean : latency.lognormal.median)}`
}

/** What a fault does, in two or three words: beside a request that it struck. */
export function shortOf(fault: ToldFault): string {
  if (fault.error !== undefined) return fault.error.type?.replaceAll('_', ' ') ?? `error ${fault.error.code}`
  if (fault.status !== undefined) return `HTTP ${fault.status}`
  if (fault.badGateway) return "proxy's page"
  if (fault.hang) return 'no answer'
  if (fault.drop) return 'hung up'
  if (fault.reset) return 'broken off'
  if (fault.truncate) return 'half the JSON'
  if (fault.stale !== undefined) return `${durationOf(fault.stale)} behind`
  return 'slow'
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
  const { error } = fault
  const done = fault.runs === true ? ', though it is done' : ''
  if (error !== undefined) {
    return [`fails: ${error.code}${error.type === undefined ? '' : ` ${error.type}`}${done}`]
  }
  if (fault.status !== undefined) return [`is HTTP ${fault.status}${done}`]
  if (fault.badGateway) return [`is a proxy's page${done}`]
  if (fault.hang) return [`is never answered${done}`]
  if (fault.drop) return [`is hung up on${done}`]
  if (fault.reset) return ['breaks off in the middle']
  if (fault.truncate) return ['is cut in the middle of its JSON']
  if (fault.stale !== undefined) return [`shows the state of ${durationOf(fault.stale)} ago`]
  return []
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
