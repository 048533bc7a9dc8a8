import { routineKinds, type StorageEvent, type StorageListener } from '../engine/state/state-storage.ts'
import type { ServerLog } from './output.ts'

/** Logs the events of `--state`. All before `begin` appear after the banner, except `waiting`. */
export function logState(
  log: ServerLog,
  file: string | undefined,
): { readonly listener: StorageListener; readonly begin: () => void } {
  const write: StorageListener = ({ kind, ...event }) =>
    log.event({ state: kind, file, ...event }, event.text, routineKinds.includes(kind) ? 'info' : 'warning')
  let early: StorageEvent[] | undefined = []
  return {
    listener: (event) =>
      early === undefined || event.kind === 'waiting' ? write(event) : void early.push(event),
    begin() {
      const events = early ?? []
      early = undefined
      for (const event of events) write(event)
    },
  }
}
