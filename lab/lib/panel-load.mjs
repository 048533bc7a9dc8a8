/**
 * Sends requests at a steady rate while a page shows the panel's list of requests, and measures the page.
 *
 * @param {import('playwright-core').Page} page - a page at `#/requests` of the server
 * @param {string} url - the address of the server
 * @param {{ seconds: number, rate: number, writes: number }} load - requests per second, and the ratio of
 * writes
 */
export async function loadPanel(page, url, { seconds, rate, writes }) {
  const failed = []
  const inFlight = new Map()
  let mostInFlight = 0
  let requestCount = 0
  const change = (request, by) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('/changes')) return
    if (by > 0) requestCount += 1
    inFlight.set(pathname, (inFlight.get(pathname) ?? 0) + by)
    mostInFlight = Math.max(mostInFlight, inFlight.get(pathname))
  }
  const begin = (request) => change(request, 1)
  const end = (request) => change(request, -1)
  const fail = (request) => {
    end(request)
    failed.push(`${request.url()}: ${request.failure()?.errorText}`)
  }
  page.on('request', begin).on('requestfinished', end).on('requestfailed', fail)
  await page.evaluate(() => {
    window.longTasks = []
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longTasks.push(Math.round(duration))
    }).observe({ type: 'longtask' })
  })

  /** The times at which replies arrived, by the sequence of their requests. */
  const repliedAt = [0]
  const newest = async () => {
    const response = await fetch(`${url}/__understudy__/api/worlds/main/journal?details=false`)
    const { entries } = await response.json()
    return entries.at(-1)?.sequence ?? 0
  }
  const first = await newest()
  const shown = () =>
    page.evaluate(() => {
      const root = [...document.querySelectorAll('*')].find(({ shadowRoot }) => shadowRoot)?.shadowRoot
      const row = root?.querySelector('.request-row')
      return Number(/requests\/(\d+)/.exec(row?.getAttribute('href') ?? '')?.[1] ?? 0)
    })
  const heaps = []
  let oldest = 0
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const next = repliedAt[(await shown()) - first + 1]
      if (next !== undefined) oldest = Math.max(oldest, performance.now() - next)
      heaps.push(await page.evaluate(() => performance.memory.usedJSHeapSize))
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  })()

  const started = performance.now()
  const pending = new Set()
  let sent = 0
  const send = async (index) => {
    const isWrite = (index * writes) % 1 < writes
    const init = {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ backfill: { name: `load ${index}` } }),
    }
    const response = await fetch(`${url}/api/${isWrite ? 'backfills/1' : 'pipelines'}`, isWrite ? init : {})
    await response.arrayBuffer()
    repliedAt.push(performance.now())
  }
  while (performance.now() - started < seconds * 1_000) {
    const due = ((performance.now() - started) / 1_000) * rate
    while (sent < due) {
      const promise = send(sent).finally(() => pending.delete(promise))
      pending.add(promise)
      sent += 1
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.all(pending)
  isOver = true
  await watching
  page.off('request', begin).off('requestfinished', end).off('requestfailed', fail)
  const third = Math.max(1, Math.floor(heaps.length / 3))
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    sent,
    failed,
    mostInFlight,
    /** Requests of the panel per second. */
    requests: requestCount / seconds,
    longTasks: await page.evaluate(() => window.longTasks),
    /** The largest age of the newest request that was not shown yet, in milliseconds. */
    oldest: Math.round(oldest),
    /** The heap in the last third of the time, relative to that in the middle third. */
    heapGrowth: mean(heaps.slice(-third)) / mean(heaps.slice(third, 2 * third)),
  }
}
