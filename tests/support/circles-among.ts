/** The first circle that imports run in from each file, as its files in order; none where no file reaches itself. */
export function circlesAmong(targetsOf: ReadonlyMap<string, Iterable<string>>): readonly string[] {
  const done = new Set<string>()
  const circleFrom = (file: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
    if (done.has(file)) return undefined
    for (const target of targetsOf.get(file) ?? []) {
      const circle = circleFrom(target, [...trail, file])
      if (circle) return circle
    }
    done.add(file)
    return undefined
  }
  return [...targetsOf.keys()].flatMap((file) => circleFrom(file, []) ?? [])
}
