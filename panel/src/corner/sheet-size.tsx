import { useState } from 'preact/hooks'
import { readStored, store } from '../store/browser-storage.ts'

/** The size of the sheet in the corner, in pixels; what the window has no room for is not shown. */
interface SheetSize {
  readonly width: number
  readonly height: number
}
type Resize = (size: SheetSize | undefined) => void

const smallest = { width: 320, height: 280 }
const storedName = 'sheet'
const step = 24
const steps: Readonly<Record<string, SheetSize>> = {
  ArrowLeft: { width: step, height: 0 },
  ArrowRight: { width: -step, height: 0 },
  ArrowUp: { width: 0, height: step },
  ArrowDown: { width: 0, height: -step },
}

/** Returns the size that somebody has given the sheet, stored for the next time; nothing where nobody has. */
export function useSheetSize(): [SheetSize | undefined, Resize] {
  const [size, setSize] = useState(readSize)
  return [
    size,
    (next) => {
      const bound = next && {
        width: Math.max(smallest.width, Math.round(next.width)),
        height: Math.max(smallest.height, Math.round(next.height)),
      }
      setSize(bound)
      store(storedName, bound === undefined ? null : `${bound.width} ${bound.height}`)
    },
  ]
}

function readSize(): SheetSize | undefined {
  const [width = 0, height = 0] = (readStored(storedName) ?? '').split(' ').map(Number)
  return width >= smallest.width && height >= smallest.height ? { width, height } : undefined
}

type OnGrip = { readonly currentTarget: HTMLElement }

/** The corner by which the sheet is resized, or by the arrow keys; a double click gives it its usual size. */
export function SheetGrip({ resize }: { readonly resize: Resize }) {
  const resizeBy = (grip: HTMLElement, change: SheetSize) => {
    const { width, height } = grip.parentElement?.getBoundingClientRect() ?? smallest
    resize({ width: width + change.width, height: height + change.height })
  }
  const press = (event: PointerEvent & OnGrip) => event.currentTarget.setPointerCapture(event.pointerId)
  const drag = ({ currentTarget: grip, pointerId, movementX, movementY }: PointerEvent & OnGrip) => {
    if (grip.hasPointerCapture(pointerId)) resizeBy(grip, { width: -movementX, height: -movementY })
  }
  return (
    <button
      type="button"
      class="sheet-grip"
      aria-label="Size: pull, or press arrow keys"
      onPointerDown={press}
      onPointerMove={drag}
      onDblClick={() => resize(undefined)}
      onKeyDown={(event) => {
        const change = steps[event.key]
        if (change === undefined) return
        event.preventDefault()
        resizeBy(event.currentTarget, change)
      }}
    />
  )
}
