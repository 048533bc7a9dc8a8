import { useEffect, useRef } from 'preact/hooks'
import type { WorldControls } from '../library.ts'
import { tableOf } from '../store/table.ts'
import { type MeantRows, useQuery } from '../store/use-query.ts'

const tokens = { failed: '--fail', running: '--run', cancelled: '--stop' }
/** Into how many parts the records are cut: about as many as the ruler has lines. */
const parts = 400

interface RulerProps {
  readonly plural: string
  readonly meant: MeantRows
  readonly count: number
  readonly top: number
  readonly seen: number
  readonly goTo: (row: number) => void
}

/** The places of failed, running and cancelled records among all of them: drawn once for a filter, pressed to go there. */
export function Ruler({ plural, meant, count, top, seen, goTo }: RulerProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const options = { ...meant, parts }
  const read = (of: WorldControls) => tableOf(of, plural).spread('status', options)
  const spread = useQuery(`records/${plural}`, ['spread', options], read) ?? []
  const statuses = Object.entries(tokens).filter(([status]) => spread.some((counts) => status in counts))
  useEffect(() => {
    const drawn = canvas.current
    const context = drawn?.getContext('2d')
    if (!drawn || !context) return
    const { clientWidth: width, clientHeight: height } = drawn
    drawn.width = width
    drawn.height = height
    const tall = Math.max(2, height / count)
    for (const [status, token] of statuses) {
      // A token is a pair of colours; the browser knows which of them applies.
      drawn.style.color = `var(${token})`
      context.fillStyle = getComputedStyle(drawn).color
      spread.forEach((counts, index) => {
        if (status in counts) context.fillRect(2, (index / spread.length) * height, width - 4, tall)
      })
    }
  }, [spread, count])
  if (statuses.length === 0) return null
  const part = (of: number) => `${Math.min(100, (of / count) * 100)}%`
  return (
    <div
      class="ruler"
      aria-hidden="true"
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect()
        goTo(((event.clientY - box.top) / box.height) * count - seen / 2)
      }}
    >
      <canvas ref={canvas} />
      <i style={{ top: part(top), height: part(seen) }} />
    </div>
  )
}
