import { Host } from './host.ts'

/** The script of the shared worker in which the understudy of all tabs lives. */
const host = new Host(new URL('.', import.meta.url).href)
globalThis.addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports
  host.connect(port!)
})
