import { useState } from 'preact/hooks'
import { keep, readKept } from '../store/kept.ts'

/** How large the sheet in the corner is, in pixels; what the window has no room for is not shown. */
export interface SheetSize {
  readonly width: number
  readonly height: number
}

const smallest = { width: 320, height: 280 }
const usual = { width: 420, height: 640 }
const keptName = 'sheet'
const step = 24
const steps: Readonly<Record<string, readonly [wider: number, taller: number]>> = {
  ArrowLeft: [step, 0],
  ArrowRight: [-step, 0],
  ArrowUp: [0, step],
  ArrowDown: [0, -step],
}

/** The size that somebody has given the sheet, kept for the next time; nothing where nobody has. */
export function useSheetSize(): [SheetSize | undefined, (size: SheetSize | undefined) => void] {
  const [size, setSize] = useState(readSize)
  return [
    size,
    (next) => {
      const bound = next && {
        width: Math.max(smallest.width, Math.round(next.width)),
        height: Math.max(smallest.height, Math.round(next.height)),
      }
      setSize(bound)
      keep(keptName, bound === undefined ? null : `${bound.width} ${bound.height}`)
    },
  ]
}

function readSize(): SheetSize | undefined {
  const [width = 0, height = 0] = (readKept(keptName) ?? '').split(' ').map(Number)
  return width >= smallest.width && height >= smallest.height ? { width, height } : undefined
}

/** The corner of the sheet by which it is pulled larger, or made so by the arrow keys; a double press has it as it was. */
export function SheetGrip({
  sizeOf,
  resize,
}: {
  readonly sizeOf: () => DOMRect | undefined
  readonly resize: (size: SheetSize | undefined) => void
}) {
  const grow = (wider: number, taller: number) => {
    const { width, height } = sizeOf() ?? usual
    resize({ width: width + wider, height: height + taller })
  }
  return (
    <button
      type="button"
      class="sheet-grip"
      aria-label="Size: pull, or press arrow keys"
      onPointerDown={(event) => {
        const grip = event.currentTarget
        const start = sizeOf()
        if (start === undefined) return
        grip.setPointerCapture(event.pointerId)
        const { clientX: x, clientY: y } = event
        grip.onpointermove = (now) =>
          resize({ width: start.width + x - now.clientX, height: start.height + y - now.clientY })
        grip.onpointerup = () => {
          grip.onpointermove = null
        }
      }}
      onDblClick={() => resize(undefined)}
      onKeyDown={(event) => {
        const change = steps[event.key]
        if (change === undefined) return
        event.preventDefault()
        grow(...change)
      }}
    />
  )
}
