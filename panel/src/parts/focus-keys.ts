const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/** Moves the focus by the arrow keys to the next link or row. Their container is one stop of the Tab key. */
export function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = steps[event.key]
  const places = [...event.currentTarget.querySelectorAll<HTMLElement>('a, [data-row]')]
  const from = places.findIndex((place) => place.matches(':focus'))
  if (step === undefined || from < 0) return
  event.preventDefault()
  places[from + step]?.focus()
}
