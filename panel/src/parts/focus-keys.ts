const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** The weight of a distance across the direction. */
const across = 3

/** Moves the focus by the arrow keys to the nearest link or row on that side: what holds them is one stop of the Tab key. */
export function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const direction = directions[event.key]
  const places = [...event.currentTarget.querySelectorAll<HTMLElement>('a, [data-row]')]
  const from = places.find((place) => place.matches(':focus'))
  if (direction === undefined || from === undefined) return
  const [x, y] = direction
  const start = centreOf(from)
  const [nearest] = places
    .map((place) => {
      const { x: left, y: top } = centreOf(place)
      const along = (left - start.x) * x + (top - start.y) * y
      const aside = Math.abs((left - start.x) * y + (top - start.y) * x)
      return { place, along, distance: along + aside * across }
    })
    .filter(({ along }) => along > 0)
    .sort((one, other) => one.distance - other.distance)
  if (nearest === undefined) return
  event.preventDefault()
  nearest.place.focus()
}

function centreOf(element: Element): { readonly x: number; readonly y: number } {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}
