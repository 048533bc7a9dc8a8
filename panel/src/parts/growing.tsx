import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** The number of rows that are drawn at first, and are added when the end of them comes into sight. */
const step = 60

interface GrowingProps<Item> {
  readonly items: readonly Item[]
  readonly row: (item: Item) => ComponentChildren
  /** Draws the end of the list, at which more rows are drawn. */
  readonly end: (place: (element: HTMLElement | null) => void) => ComponentChildren
}

/** Draws the rows of a long list as far as somebody has scrolled. */
export function Growing<Item>({ items, row, end }: GrowingProps<Item>) {
  const [count, setCount] = useState(step)
  const [last, setLast] = useState<HTMLElement | null>(null)
  useEffect(() => {
    if (last === null) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setCount(count + step)
    })
    observer.observe(last)
    return () => observer.disconnect()
  }, [last, count])
  return (
    <>
      {items.slice(0, count).map(row)}
      {items.length > count && end(setLast)}
    </>
  )
}
