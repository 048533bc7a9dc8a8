import type { StorageEvent, StorageListener } from '../engine/state/state-storage.ts'
import type { ProcessIo } from './process-io.ts'

/** What is nothing to worry about. */
const quietKinds: readonly StorageEvent['kind'][] = ['loaded', 'begun', 'recovered']

interface Flags {
  readonly json?: true | undefined
  readonly quiet?: true | undefined
  readonly state?: string | undefined
}

/** Says what happens to the state of `--state`: what is told before the server listens, when it does, but for what it waits for. */
export function sayState(
  { json, quiet, state: file }: Flags,
  write: (line: string) => void,
  { stderr }: ProcessIo,
): { readonly told: StorageListener; readonly begin: () => void } {
  const say: StorageListener = ({ kind, ...event }) => {
    if (json) write(JSON.stringify({ state: kind, file, ...event }))
    else if (!quietKinds.includes(kind)) stderr.write(`${event.text}\n`)
    else if (!quiet) write(event.text)
  }
  let waiting: StorageEvent[] | undefined = []
  return {
    told: (event) =>
      waiting === undefined || event.kind === 'waiting' ? say(event) : void waiting.push(event),
    begin() {
      const first = waiting ?? []
      waiting = undefined
      for (const event of first) say(event)
    },
  }
}
