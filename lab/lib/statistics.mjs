/** The middle value: one slow round on a noisy machine does not move it. */
export function median(values) {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The medians of the first, the middle and the last third of a series. */
export function thirds(values) {
  const third = Math.max(1, Math.floor(values.length / 3))
  return [values.slice(0, third), values.slice(third, -third), values.slice(-third)].map(median)
}
