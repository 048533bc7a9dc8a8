const directions: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** The weight of a distance across the direction. */
const across = 3

type KeyEvent = KeyboardEvent & { readonly currentTarget: HTMLElement }

/** Moves the focus by the arrow keys to the nearest link on that side: what holds the links is one stop of the Tab key. */
export function moveAmongLinks(event: KeyEvent): void {
  const direction = directions[event.key]
  const links = [...event.currentTarget.querySelectorAll('a')]
  const from = links.find((link) => link.matches(':focus'))
  if (direction === undefined || from === undefined) return
  const [x, y] = direction
  const start = centreOf(from)
  const [nearest] = links
    .map((link) => {
      const { x: left, y: top } = centreOf(link)
      const along = (left - start.x) * x + (top - start.y) * y
      return { link, along, distance: along + Math.abs((left - start.x) * y + (top - start.y) * x) * across }
    })
    .filter(({ along }) => along > 0)
    .sort((one, other) => one.distance - other.distance)
  if (nearest === undefined) return
  event.preventDefault()
  nearest.link.focus()
}

/** Moves the focus up and down among the rows, which are one stop of the Tab key each way. */
export function moveAmongRows(event: KeyEvent): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('a, [data-row]')]
  const place = rows.findIndex((row) => row.matches(':focus'))
  const next = rows[place + (event.key === 'ArrowDown' ? 1 : -1)]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

function centreOf(element: Element): { readonly x: number; readonly y: number } {
  const { left, top, width, height } = element.getBoundingClientRect()
  return { x: left + width / 2, y: top + height / 2 }
}
