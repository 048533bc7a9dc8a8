const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** How much farther it is across than along the way that one goes. */
const across = 3

/** Goes by the arrow keys to the link that is next on that side: what holds them is one stop of the Tab key. */
export function goAmongLinks(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const direction = directions[event.key]
  const from = (event.target as HTMLElement).closest('a')
  if (direction === undefined || from === null) return
  const [x, y] = direction
  const start = centreOf(from)
  let nearest: HTMLElement | undefined
  let least = Number.POSITIVE_INFINITY
  for (const link of event.currentTarget.querySelectorAll('a')) {
    const place = centreOf(link)
    const along = (place.x - start.x) * x + (place.y - start.y) * y
    if (along <= 0) continue
    const distance = along + Math.abs((place.x - start.x) * y + (place.y - start.y) * x) * across
    if (distance >= least) continue
    nearest = link
    least = distance
  }
  if (nearest === undefined) return
  event.preventDefault()
  nearest.focus()
}

function centreOf(element: Element): { readonly x: number; readonly y: number } {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}
