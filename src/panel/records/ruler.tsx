import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { AnyRecord } from '../store/acts.ts'

const marks: Readonly<Record<string, string>> = { failed: '--fail', running: '--run', cancelled: '--stop' }
const rowHeight = 32

/** Where failed, running and cancelled records stand among all of them: drawn once for a filter, pressed to go there. */
export function Ruler({
  records,
  top,
  seen,
  place,
}: {
  readonly records: readonly AnyRecord[]
  readonly top: number
  readonly seen: number
  readonly place: RefObject<HTMLDivElement | null>
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const hasMarks = records.some(({ status }) => marks[String(status)] !== undefined)
  useEffect(() => {
    const drawn = canvas.current
    const context = drawn?.getContext('2d')
    if (drawn === null || !context) return
    const { clientWidth: width, clientHeight: height } = drawn
    drawn.width = width
    drawn.height = height
    const style = getComputedStyle(drawn)
    const colours = new Map(
      Object.entries(marks).map(([status, token]) => [status, style.getPropertyValue(token)]),
    )
    // A token says two colours; the browser knows which of them holds.
    const probe = drawn.parentElement!
    const tall = Math.max(2, height / records.length)
    for (const [status, colour] of colours) {
      probe.style.color = colour
      context.fillStyle = getComputedStyle(probe).color
      for (let index = 0; index < records.length; index++) {
        if (records[index]!.status === status)
          context.fillRect(2, (index / records.length) * height, width - 4, tall)
      }
    }
    probe.style.color = ''
  }, [records])
  if (!hasMarks) return null
  const part = (rows: number) => `${Math.min(100, (rows / records.length) * 100)}%`
  return (
    <div
      class="ruler"
      aria-hidden="true"
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect()
        const row = ((event.clientY - box.top) / box.height) * records.length
        if (place.current !== null) place.current.scrollTop = (row - seen / 2) * rowHeight
      }}
    >
      <canvas ref={canvas} />
      <i style={{ top: part(top), height: part(seen) }} />
    </div>
  )
}
