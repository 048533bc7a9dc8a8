import { type Draft, faultOf, firstDraft, readyDrafts } from '../faults/draft.ts'
import { sentenceOf } from '../faults/fault-words.ts'
import type { RecordOf, ResourceDescription, ScenarioSummary, WorldSummary } from '../library.ts'
import { triggerOf } from '../pipeline/trigger.ts'
import { nameRecord } from '../records/select.ts'
import { type Act, act } from '../store/acts.ts'
import type { Panel } from '../store/panel.ts'
import type { Routes } from '../store/routes.ts'
import type { Action } from '../store/runner.ts'
import { type AnyRecord, tableOf } from '../store/table.ts'
import { dayOf, signedOutWords } from '../store/words.ts'
import { type Access, linksOf } from './about.tsx'
import { clockActs, goTo } from './clock-acts.ts'
import { readTime } from './typed-time.ts'
import { views } from './views.ts'

/** An entry of the search: a view, another world, or an action. */
export type Offer = {
  readonly title: string
  /** Its kind or its effect, in a few words. */
  readonly about: string
} & ({ readonly take: () => void } | Action)

/** Objects of a world besides its records, found by name. */
interface FindableNames {
  readonly scenarios: readonly ScenarioSummary[]
  readonly snapshots: readonly string[]
  readonly worlds: readonly WorldSummary[]
  readonly access: readonly Access[]
  readonly schedules: readonly RecordOf<'pipeline_schedules'>[]
}

const dialogs = [
  ['worlds', 'Worlds and snapshots', 'create, save, export, open'],
  ['recorder', 'Recorder', 'copy recorded actions as a test'],
  ['shortcuts', 'Shortcuts', 'help'],
] as const

/** Maximum number of records for each resource. */
const perResource = 4
const most = 40

/** Returns the actions and views of a world in its present state. */
export function commandsOf(panel: Panel, found: FindableNames): Offer[] {
  const { live, routes, docs, dialog, copy } = panel
  const tables = live.resources.value.filter(({ isStored }) => isStored)
  const operations = live.resources.value.flatMap((resource) => resource.operations)
  return [
    ...views.map(({ view, title }) => ({ title, about: 'view', take: () => routes.go(view) })),
    ...tables.map(({ plural }) => ({
      title: plural,
      about: 'records',
      take: () => routes.go(`records/${plural}`),
    })),
    {
      title: 'Compare the state',
      about: 'with the start or a snapshot',
      take: () => routes.go('requests'),
    },
    ...clockActs(live).map((each) => ({ ...each, about: 'clock' })),
    ...readyDrafts.map(({ title, draft }) => offerFault(title, draft)),
    ...(live.faults.value.length > 0
      ? [offer('Remove all faults', 'faults', act('faults.clear'), 'All faults removed.')]
      : []),
    ...found.schedules.map((schedule) => ({
      ...triggerOf(schedule, routes),
      about: `run a schedule of ${schedule.pipeline_uuid} now`,
    })),
    ...found.scenarios.map(({ name, description }) =>
      offer(
        `Start ${name}`,
        `scenario: ${description}`,
        act('scenarios.start', name),
        `Scenario ${name} started.`,
      ),
    ),
    offer('Reset to the fixture', 'world', act('reset'), 'Reset to the fixture.'),
    offer('Sign out all users', 'every token expires', act('signOut'), signedOutWords),
    offer('Clear all requests', 'requests', act('journal.clear'), 'Requests cleared.'),
    ...found.snapshots.map((name) =>
      offer(`Restore ${name}`, 'snapshot', act('restore', name), `Snapshot ${name} restored.`),
    ),
    ...found.access.map(({ name, value }) => ({
      title: `Copy the ${name}`,
      about: value,
      take: () => copy(value, `the ${name}`),
    })),
    ...linksOf(docs).map(([title, address]) => ({
      title,
      about: address,
      take: () => void window.open(address),
    })),
    ...dialogs.map(([name, title, about]) => ({ title, about, take: () => (dialog.value = name) })),
    ...operations.map(({ id: operation }) =>
      offerFault(`Fail the next ${operation}`, { operation, type: 'internal_error', message: '' }),
    ),
    ...found.worlds
      .filter(({ name }) => name !== live.world.value)
      .map(({ name }) => ({
        title: `World ${name}`,
        about: 'another world',
        take: () => (live.world.value = name),
      })),
  ]
}

function offer(title: string, about: string, does: Act, message: Action['message']): Offer {
  return { title, about, does, message }
}

function offerFault(title: string, draft: Partial<Draft>): Offer {
  const fault = faultOf({ ...firstDraft, ...draft })
  return offer(title, `make a fault: ${sentenceOf(fault)}`, act('faults.add', fault), 'Fault added.')
}

/** Returns the commands that contain all typed words; those that begin with them first. */
export function fitting(commands: readonly Offer[], text: string): Offer[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = commands.filter(({ title, about }) => {
    const all = `${title} ${about}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  const begins = ({ title }: Offer) => title.toLowerCase().startsWith(words[0] ?? '')
  return [...fits.filter(begins), ...fits.filter((each) => !begins(each))].slice(0, most)
}

/** Parses a typed time; undefined if the text is no time. */
export function typedTime({ live }: Panel, text: string): Offer[] {
  const time = readTime(text, live.now.value)
  return time === undefined ? [] : [{ ...goTo(live, time), about: `clock: ${dayOf(time)}` }]
}

/** Finds the newest records that contain a text, a few of each resource. */
export async function findRecords({ live, routes }: Panel, text: string): Promise<Offer[]> {
  const search = text.trim()
  if (search === '') return []
  const stored = live.resources.value.filter(({ isStored }) => isStored)
  const found = await Promise.all(
    stored.map(async (description) => {
      const options = { search, limit: perResource, reverse: true }
      const { records } = await tableOf(live.of, description.plural).page(options)
      return records.map((record) => toOffer(description, record, routes))
    }),
  )
  return found.flat()
}

function toOffer(description: ResourceDescription, record: AnyRecord, routes: Routes): Offer {
  const { plural, singular } = description
  const { key } = nameRecord(description, record)
  const { name, status } = record
  const place = `${plural === 'pipelines' ? plural : `records/${plural}`}/${encodeURIComponent(key)}`
  const words = [singular.replaceAll('_', ' '), ...(typeof status === 'string' ? [status] : [])]
  return {
    title: typeof name === 'string' && name !== key ? `${name}, ${key}` : key,
    about: words.join(', '),
    take: () => routes.go(place),
  }
}
