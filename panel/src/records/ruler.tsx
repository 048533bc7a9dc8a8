import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type MeantRows, useSpread } from '../store/use-rows.ts'
import { rowHeight } from './row-window.ts'

const marks: Readonly<Record<string, string>> = { failed: '--fail', running: '--run', cancelled: '--stop' }
/** Into how many parts the records are cut: about as many as the ruler has lines. */
const parts = 400

/** Where failed, running and cancelled records stand among all of them: drawn once for a filter, pressed to go there. */
export function Ruler({
  plural,
  rows,
  count,
  top,
  seen,
  place,
}: {
  readonly plural: string
  readonly rows: MeantRows
  readonly count: number
  readonly top: number
  readonly seen: number
  readonly place: RefObject<HTMLDivElement | null>
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const spread = useSpread(plural, 'status', { ...rows, parts })
  const hasMarks = spread?.some((counts) => Object.keys(marks).some((status) => status in counts)) ?? false
  useEffect(() => {
    const drawn = canvas.current
    const context = drawn?.getContext('2d')
    if (drawn === null || !context || spread === undefined) return
    const { clientWidth: width, clientHeight: height } = drawn
    drawn.width = width
    drawn.height = height
    const style = getComputedStyle(drawn)
    // A token says two colours; the browser knows which of them holds.
    const probe = drawn.parentElement!
    const tall = Math.max(2, height / count)
    for (const [status, token] of Object.entries(marks)) {
      probe.style.color = style.getPropertyValue(token)
      context.fillStyle = getComputedStyle(probe).color
      for (let index = 0; index < spread.length; index++) {
        if (status in spread[index]!) context.fillRect(2, (index / spread.length) * height, width - 4, tall)
      }
    }
    probe.style.color = ''
  }, [spread, count])
  if (!hasMarks) return null
  const part = (of: number) => `${Math.min(100, (of / count) * 100)}%`
  return (
    <div
      class="ruler"
      aria-hidden="true"
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect()
        const row = ((event.clientY - box.top) / box.height) * count
        if (place.current !== null) place.current.scrollTop = (row - seen / 2) * rowHeight
      }}
    >
      <canvas ref={canvas} />
      <i style={{ top: part(top), height: part(seen) }} />
    </div>
  )
}
