import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** What the server says of its state, as JSON lines have it. */
export interface ReportedState {
  readonly state: string
  readonly savedAt?: string
  readonly worlds?: number
  readonly text: string
}

/** An `understudy serve --state FILE` that listens, and what it has said of its state. */
export interface StateServer {
  readonly url: string
  readonly process: ChildProcess
  readonly said: readonly ReportedState[]
  /** Waits until it has said something of its state, of one of these kinds. */
  hears(...kinds: readonly string[]): Promise<ReportedState>
  /** Ends it by a signal; gives its exit code, or the signal. */
  end(signal: NodeJS.Signals): Promise<number | string | null>
}

/** What a server that did not start has left. */
export interface RefusedStart {
  readonly code: number | string | null
  readonly complaint: string
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a server on a file; where it refuses, says how. */
export async function startServer(
  cli: string,
  file: string,
  flags: readonly string[] = [],
): Promise<StateServer | RefusedStart> {
  const given = ['serve', '--port', '0', '--quiet', '--json', '--journal', '0', '--state', file, ...flags]
  const child = spawn(process.execPath, [cli, ...given], { stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child)
      resolve(signal ?? code)
    })
  })
  let complaint = ''
  child.stderr.on('data', (text: Buffer) => {
    complaint += text.toString()
  })
  const said: ReportedState[] = []
  const waiting = new Set<() => void>()
  const url = await new Promise<string | undefined>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as ReportedState & { readonly listening?: string }
      if (line.listening !== undefined) resolve(line.listening)
      if (line.state !== undefined) said.push(line)
      for (const wake of waiting) wake()
    })
    void ended.then(() => resolve(undefined))
  })
  if (url === undefined) return { code: await ended, complaint }
  return {
    url,
    process: child,
    said,
    async hears(...kinds) {
      for (;;) {
        const line = said.find(({ state }) => kinds.includes(state))
        if (line !== undefined) return line
        await Promise.race([
          new Promise<void>((wake) => waiting.add(wake)),
          ended.then((how) => {
            throw new Error(`It ended (${how}) before it said ${kinds.join(' or ')}: ${complaint}`)
          }),
        ])
      }
    },
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

/** Starts a server that has to start. */
export async function mustStart(...given: Parameters<typeof startServer>): Promise<StateServer> {
  const server = await startServer(...given)
  if ('url' in server) return server
  throw new Error(`The server does not start: ${server.complaint}`)
}
