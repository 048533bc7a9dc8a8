import { spawn } from 'node:child_process'

/** The command of each platform that opens an address in the browser of whoever sits there. */
const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a page in the browser; nothing happens where there is no display, or nothing that opens it. */
export function openPage(url: string, environment: NodeJS.ProcessEnv = process.env): void {
  const [command, ...given] = openers[process.platform] ?? ['xdg-open']
  const hasDisplay = environment.DISPLAY !== undefined || environment.WAYLAND_DISPLAY !== undefined
  if (command === 'xdg-open' && !hasDisplay) return
  const opener = spawn(command, [...given, url], { detached: true, stdio: 'ignore' })
  opener.on('error', () => undefined)
  opener.unref()
}
