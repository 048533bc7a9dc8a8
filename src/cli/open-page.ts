import { spawn } from 'node:child_process'
import type { ProcessIo } from './process-io.ts'

/** The command of each platform that opens an address in the browser of whoever sits there. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a page in the browser; where there is no display, or nothing that opens it, that is said. */
export function openPage(url: string, { env, stderr }: ProcessIo): void {
  const say = (text: string) => void stderr.write(`${text}\n`)
  const { DISPLAY, WAYLAND_DISPLAY } = env
  const [command, ...given] = openers[process.platform] ?? ['xdg-open']
  const hasDisplay = DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined
  if (command === 'xdg-open' && !hasDisplay) {
    say(`There is no display to open the page on. It is ${url}`)
    return
  }
  const opener = spawn(command, [...given, url], { detached: true, stdio: 'ignore' })
  opener.on('error', () => say(`${command} cannot be run to open the page. It is ${url}`))
  opener.unref()
}
