import { spawn } from 'node:child_process'
import { printError } from './output.ts'
import type { ProcessIo } from './process-io.ts'

/** The command of each platform that opens a URL in the default browser. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a page in the browser, or logs its URL if there is no display or no command to open it. */
export function openPage(url: string, io: ProcessIo): void {
  const { DISPLAY, WAYLAND_DISPLAY } = io.env
  const [command, ...given] = openers[process.platform] ?? ['xdg-open']
  const hasDisplay = DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined
  if (command === 'xdg-open' && !hasDisplay) {
    printError(io, `Cannot open the panel: there is no display. Its address is ${url}`)
    return
  }
  const opener = spawn(command, [...given, url], { detached: true, stdio: 'ignore' })
  opener.on('error', () =>
    printError(io, `Cannot open the panel: running ${command} failed. Its address is ${url}`),
  )
  opener.unref()
}
