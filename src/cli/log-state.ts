import type { StorageEvent, StorageListener } from '../engine/state/state-storage.ts'
import type { ProcessIo } from './process-io.ts'

const routine: readonly StorageEvent['kind'][] = ['loaded', 'created', 'recovered']

interface Flags {
  readonly json?: true | undefined
  readonly quiet?: true | undefined
  readonly state?: string | undefined
}

/** Logs the events of `--state`. Until `begin`, only waiting is logged: the banner comes first. */
export function logState(
  { json, quiet, state: file }: Flags,
  write: (line: string) => void,
  { stderr }: ProcessIo,
): { readonly listener: StorageListener; readonly begin: () => void } {
  const log: StorageListener = ({ kind, ...event }) => {
    if (json) write(JSON.stringify({ state: kind, file, ...event }))
    else if (!routine.includes(kind)) stderr.write(`${event.text}\n`)
    else if (!quiet) write(event.text)
  }
  let early: StorageEvent[] | undefined = []
  return {
    listener: (event) =>
      early === undefined || event.kind === 'waiting' ? log(event) : void early.push(event),
    begin() {
      const events = early ?? []
      early = undefined
      for (const event of events) log(event)
    },
  }
}
