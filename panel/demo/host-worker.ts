import { Host } from './host.ts'

declare function addEventListener(name: 'connect', listener: (event: MessageEvent) => void): void

/** The script of the shared worker that runs the mock for all tabs. */
const host = new Host(new URL('.', import.meta.url).href)
addEventListener('connect', ({ ports: [port] }) => {
  if (port !== undefined) host.connect(port)
})
