import { useState } from 'preact/hooks'
import { readStored, store } from '../store/browser-storage.ts'

/** The size of the sheet in the corner, in pixels; what the window has no room for is not shown. */
interface SheetSize {
  readonly width: number
  readonly height: number
}
type Resize = (size: SheetSize | undefined) => void

const smallest = { width: 320, height: 280 }
const usual = { width: 420, height: 640 }
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

interface SheetGripProps {
  readonly sizeOf: () => DOMRect | undefined
  readonly resize: Resize
}

/** The corner by which the sheet is resized, or by the arrow keys; a double click gives it its usual size. */
export function SheetGrip({ sizeOf, resize }: SheetGripProps) {
  const drag = (event: PointerEvent & { readonly currentTarget: HTMLElement }) => {
    const grip = event.currentTarget
    const { width, height } = sizeOf() ?? usual
    const { clientX: x, clientY: y } = event
    grip.setPointerCapture(event.pointerId)
    grip.onpointermove = ({ clientX, clientY }) =>
      resize({ width: width + x - clientX, height: height + y - clientY })
    grip.onpointerup = () => {
      grip.onpointermove = null
    }
  }
  return (
    <button
      type="button"
      class="sheet-grip"
      aria-label="Size: pull, or press arrow keys"
      onPointerDown={drag}
      onDblClick={() => resize(undefined)}
      onKeyDown={(event) => {
        const change = steps[event.key]
        if (change === undefined) return
        event.preventDefault()
        const { width, height } = sizeOf() ?? usual
        resize({ width: width + change.width, height: height + change.height })
      }}
    />
  )
}
