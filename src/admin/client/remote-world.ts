import type { ClockStep } from '../../engine/clock.ts'
import type { Advanced, ScheduledEvents } from '../../engine/events/event-types.ts'
import type { ActiveFault } from '../../engine/faults/faults.ts'
import type { Har } from '../../engine/journal/har.ts'
import type { JournalEntry } from '../../engine/journal/journal-entry.ts'
import type { ScenarioSummary } from '../../engine/scenarios/scenario.ts'
import type { WorldChange } from '../../engine/worlds/change-stream.ts'
import type { ReplacingAct } from '../../engine/worlds/world-state.ts'
import type { ResourceDescription } from '../../factories/describe-resources.ts'
import type { StateDifference } from '../../factories/difference.ts'
import type { Fixture } from '../../factories/fixture-type.ts'
import type { LastError } from '../../resources/log/controls/last-errors.ts'
import { isDate } from '../../shared/built-ins.ts'
import { worldHeader } from '../../shared/credentials.ts'
import { becomesStart } from '../../shared/import-options.ts'
import { toRequest } from '../../shared/urls.ts'
import { follow } from './follow.ts'
import { createRemoteFactories } from './remote-factories.ts'
import { createRemoteTables } from './remote-table.ts'
import { type AdminTransport, pathOf, unreachable } from './transport.ts'
import type { RemoteWorld } from './types.ts'

/** Creates the handle of a world. `following` contains a function per subscription that ends it. */
export function createRemoteWorld(
  transport: AdminTransport,
  name: string,
  following: Set<() => void>,
): RemoteWorld {
  const base = pathOf('worlds', name)
  const get = <Reply>(path: string, query = {}) => transport.send<Reply>('GET', `${base}${path}`, { query })
  const post = async (path: string, body?: object) => {
    await transport.send('POST', `${base}${path}`, { body })
  }
  const listen = async <Data>(path: string, listener: (data: Data) => void, ended?: () => void) => {
    const controller = new AbortController()
    const end = () => {
      following.delete(end)
      controller.abort()
    }
    const stream = await transport.open(`${base}${path}`, controller.signal)
    following.add(end)
    void follow(stream, listener).finally(() => {
      following.delete(end)
      if (!controller.signal.aborted) ended?.()
    })
    return end
  }
  return {
    name,
    model: createRemoteTables(transport, name),
    factories: createRemoteFactories(transport, name),
    get apiKeys() {
      return get<{ apiKeys: readonly string[] }>('').then(({ apiKeys }) => apiKeys)
    },
    clock: {
      now: async () => (await get<{ now: number }>('/clock')).now,
      speed: async () => (await get<{ speed: number }>('/clock')).speed,
      async advance(duration) {
        const body = { duration }
        const { leftOut } = await transport.send<ClockStep>('POST', `${base}/clock/advance`, { body })
        return { leftOut }
      },
      next: (options = {}) => get<ScheduledEvents>('/clock/next', options),
      advanceToNext: () => transport.send<Advanced>('POST', `${base}/clock/next`),
      freeze: (at) => post('/clock/freeze', { at: isDate(at) ? at.toISOString() : at }),
      run: (speed) => post('/clock/run', { speed }),
      reset: () => post('/clock/reset'),
    },
    runs: {
      script: (target, script) => post('/runs/script', { target, script }),
      finish: (id, status) => post(`/runs${pathOf(id)}/finish`, { status }),
      advance: (id) => post(`/runs${pathOf(id)}/advance`),
    },
    logs: {
      lastErrors: async (where = {}) => (await get<{ errors: LastError[] }>('/last-errors', where)).errors,
    },
    scenarios: {
      list: async () => (await get<{ scenarios: ScenarioSummary[] }>('/scenarios')).scenarios,
      async start(scenario) {
        if (typeof scenario === 'string') return post(`/scenarios${pathOf(scenario)}/start`)
        const { fixture } = scenario
        const made = typeof fixture === 'function' ? { fixture: fixture() } : {}
        return post('/scenarios/start', { ...scenario, ...made })
      },
    },
    faults: {
      add: (fault) => transport.send<ActiveFault>('POST', `${base}/faults`, { body: fault }),
      list: async () => (await get<{ faults: ActiveFault[] }>('/faults')).faults,
      remove: (id) => transport.attempt('DELETE', `${base}/faults${pathOf(id)}`),
      clear: () => transport.send('DELETE', `${base}/faults`),
    },
    journal: {
      entries: async (filter = {}) => (await get<{ entries: JournalEntry[] }>('/journal', filter)).entries,
      lost: async () => (await get<{ lost: number | null }>('/journal')).lost,
      clear: () => transport.send('DELETE', `${base}/journal`),
      har: () => get<Har>('/journal.har'),
      subscribe: (listener, ended) => listen<JournalEntry>('/journal/stream', listener, ended),
    },
    changes: {
      subscribe: (listener, ended) => listen<WorldChange>('/changes', listener, ended),
    },
    assumptions: {
      list: async () =>
        (await get<{ assumptions: Awaited<ReturnType<RemoteWorld['assumptions']['list']>> }>('/assumptions'))
          .assumptions,
      switch: (values) => transport.send('PATCH', `${base}/assumptions`, { body: values }),
    },
    reset: () => post('/reset'),
    undo: async () => (await transport.send<{ undone: ReplacingAct }>('POST', `${base}/undo`)).undone,
    snapshot: (snapshot) => transport.send('PUT', `${base}/snapshots${pathOf(snapshot)}`),
    restore: (snapshot) => post(`/snapshots${pathOf(snapshot)}/restore`),
    snapshots: async () => (await get<{ snapshots: string[] }>('/snapshots')).snapshots,
    async diff(from) {
      const query = typeof from === 'object' ? { from: from.world } : { snapshot: from }
      return (await get<{ difference: StateDifference }>('/difference', query)).difference
    },
    export: () => transport.send<Fixture>('GET', `${base}/state`),
    import: async (fixture, options) => {
      const query = { asStart: becomesStart(options) || undefined }
      await transport.send('PUT', `${base}/state`, { body: fixture, query })
    },
    resources: async () => (await get<{ resources: ResourceDescription[] }>('/resources')).resources,
    rawToken: async (token) =>
      (await transport.send<{ token: string }>('POST', `${base}/tokens/raw`, { body: { token } })).token,
    signOut: async () => (await transport.send<{ signedOut: number }>('POST', `${base}/sign-out`)).signedOut,
    async fetch(input, init) {
      const request = await toRequest(input, init, transport.url)
      if (name !== 'main') request.headers.set(worldHeader, name)
      return transport.fetch(request).catch((error: unknown) => {
        throw unreachable(transport.url, error)
      })
    },
  }
}
