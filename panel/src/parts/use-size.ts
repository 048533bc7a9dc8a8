import { useEffect, useState } from 'preact/hooks'

interface Size {
  readonly width: number
  readonly height: number
}

/** Measures an element, by the function that is its `ref`; nothing until it is drawn. */
export function useSize(): [size: Size | undefined, measured: (element: HTMLElement | null) => void] {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [size, setSize] = useState<Size | undefined>(undefined)
  useEffect(() => {
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => entry && setSize(entry.contentRect))
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return [size, setElement]
}
