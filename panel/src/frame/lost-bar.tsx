import { useEffect, useState } from 'preact/hooks'
import { Glyph } from '../parts/glyph.tsx'
import { usePanel } from '../store/panel.ts'

/** Said where the server does not answer: since when, and that it is tried again. */
export function LostBar() {
  const { live } = usePanel()
  const lost = live.lost.value
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (lost === undefined) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [lost])
  if (lost === undefined) return null
  const since = new Date(lost.since).toTimeString().slice(0, 8)
  const seconds = Math.max(0, Math.ceil((lost.retryAt - now) / 1_000))
  return (
    <div class="lost">
      <Glyph of="failed" />
      <span role="alert">The server does not answer since {since}. What you see is from then.</span>
      <span>Trying again in {seconds} s.</span>
      <button type="button" class="button small" onClick={() => live.tryNow()}>
        Try now
      </button>
    </div>
  )
}
