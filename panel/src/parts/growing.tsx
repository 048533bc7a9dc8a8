import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Number of rows that a list draws first, and adds each time that its end becomes visible. */
const step = 60

type Place = (element: HTMLElement | null) => void

/**
 * Returns how many rows of a long list to draw, and the `ref` of its end: once that is in sight, there are more. The end
 * needs another key after each growth.
 */
export function useGrowing(): [count: number, end: Place] {
  const [count, setCount] = useState(step)
  const [last, setLast] = useState<HTMLElement | null>(null)
  useEffect(() => {
    if (last === null) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setCount((before) => before + step)
    })
    observer.observe(last)
    return () => observer.disconnect()
  }, [last])
  return [count, setLast]
}

interface GrowingProps<Item> {
  readonly items: readonly Item[]
  readonly row: (item: Item) => ComponentChildren
  /** Draws the end of the list, which adds rows when it becomes visible. */
  readonly end: (place: Place) => ComponentChildren
}

/** Draws the rows of a long list as far as somebody has scrolled. */
export function Growing<Item>({ items, row, end }: GrowingProps<Item>) {
  const [count, place] = useGrowing()
  return (
    <>
      {items.slice(0, count).map(row)}
      {items.length > count && <Fragment key={count}>{end(place)}</Fragment>}
    </>
  )
}
