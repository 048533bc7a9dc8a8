import type { Progress } from '../runner/options.ts'

/** Returns one line with the current step, the rate of requests and the estimated time left. */
export function progressLine({
  scenario,
  index,
  of,
  sequence,
  requests,
  milliseconds,
  left,
}: Progress): string {
  const where = of === 0 ? scenario : `${index + 1}/${of} ${scenario}`
  const done =
    sequence &&
    `: ${sequence.ended}${sequence.of === undefined ? '' : ` of ${sequence.of}`} done, ${sequence.doing}`
  const speed = milliseconds < 1_000 ? '' : `, ${Math.round((requests / milliseconds) * 1_000)} a second`
  const rest = left === undefined ? '' : `; about ${duration(left)} left`
  return `${where}${done ?? ''}; ${requests} requests${speed}${rest}`
}

function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
