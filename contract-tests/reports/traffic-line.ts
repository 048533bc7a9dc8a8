import type { TrafficCounts } from '../traffic/check-traffic.ts'

/** Reports in one line the checked and followed parts of recorded traffic, and the reasons for the rest. */
export function trafficLine({ read, checked, followed, unchecked, unfollowed }: TrafficCounts): string {
  const why = (counts: Readonly<Record<string, number>>) => {
    const reasons = Object.entries(counts).toSorted(([, one], [, other]) => other - one)
    return reasons.length === 0
      ? ''
      : ` (${reasons.map(([reason, count]) => `${count} ${reason}`).join(', ')})`
  }
  const ignored = read === checked ? '' : `; ${read - checked} not checked${why(unchecked)}`
  const rest = checked - followed
  return `${checked} of ${read} exchanges checked, ${followed} followed by the model, ${rest} not${why(unfollowed)}${ignored}`
}
