import { type ComponentChildren, h } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Number of rows that a list draws first, and adds each time that its end becomes visible. */
const step = 60

/**
 * Returns the number of rows of a long list to draw, and the `ref` of its end, which adds rows when it becomes visible. The end
 * needs another key after each growth.
 */
export function useGrowing(): [count: number, end: (element: HTMLElement | null) => void] {
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
  /** The element at the end of the list, which adds rows when it becomes visible. */
  readonly end: 'li' | 'tr' | 'div'
}

/** Draws the rows of a long list as far as somebody has scrolled. */
export function Growing<Item>({ items, row, end }: GrowingProps<Item>) {
  const [count, place] = useGrowing()
  const rest =
    items.length > count && h(end, { key: count, ref: place }, h(end === 'tr' ? 'td' : 'span', null, '…'))
  return [items.slice(0, count).map(row), rest]
}
