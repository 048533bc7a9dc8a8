import type { UpcomingEvent } from '../../../src/engine/events/event-types.ts'
import type { ScenarioSummary } from '../../../src/engine/scenarios/scenario.ts'
import type { ResourceDescription } from '../../../src/factories/describe-resources.ts'
import { nameRecord } from '../records/select.ts'
import type { Words } from '../store/act-runner.ts'
import { type Act, act } from '../store/acts.ts'
import { type AnyRecord, tableOf } from '../store/any-table.ts'
import type { Panel } from '../store/panel.ts'
import { dayOf, eventWords, momentWords, signedOutWords } from '../store/words.ts'
import { faultOf, firstDraft, ready } from '../wrong/draft.ts'
import { clockActs, goTo } from './clock-acts.ts'
import { readMoment } from './typed-moment.ts'
import { views } from './views.ts'

/** Something that can be found or done: a place to go to, another world, or an act. */
export type Offer = {
  readonly title: string
  /** What it is, or what it does, in a few words. */
  readonly about: string
} & ({ readonly goes: string } | { readonly world: string } | { readonly does: Act; readonly says: Words })

/** What a world has besides its records that can be found by name, read when somebody begins to look. */
export interface FindableNames {
  readonly scenarios: readonly ScenarioSummary[]
  readonly snapshots: readonly string[]
}

/** Of each resource so many records are shown. */
const perResource = 4
const most = 40

/** What can always be done or gone to in a world, as it is now. */
export function commandsOf({ live }: Panel, { scenarios, snapshots }: FindableNames): Offer[] {
  const places = [
    ...views.map(({ view, title }) => ({ title, about: 'view', goes: view })),
    ...live.resources.value
      .filter(({ isStored }) => isStored)
      .map(({ plural }) => ({ title: plural, about: 'records', goes: `records/${plural}` })),
  ]
  const clock = clockActs(live).map((each) => ({ ...each, about: 'clock' }))
  const wrong = [
    ...ready.map(({ title, sub, draft }) => ({
      title,
      about: `wrong on purpose: ${sub}`,
      does: act('faults.add', faultOf({ ...firstDraft, ...draft })),
      says: 'It goes wrong from now on.',
    })),
    ...(live.faults.value.length > 0
      ? [
          {
            title: 'Take everything off that is wrong on purpose',
            about: 'wrong on purpose',
            does: act('faults.clear'),
            says: 'Nothing is wrong on purpose.',
          },
        ]
      : []),
    ...scenarios.map(({ name, description }) => ({
      title: `Start ${name}`,
      about: `scenario: ${description}`,
      does: act('scenarios.start', name),
      says: `Scenario ${name} has begun.`,
    })),
  ]
  const world = [
    { title: 'Reset to the fixture', about: 'world', does: act('reset'), says: 'Reset to the fixture.' },
    { title: 'Sign everybody out', about: 'every token expires', does: act('signOut'), says: signedOutWords },
    {
      title: 'Forget all requests',
      about: 'journal',
      does: act('journal.clear'),
      says: 'The journal is empty.',
    },
    ...snapshots.map((name) => ({
      title: `Go back to ${name}`,
      about: 'kept state',
      does: act('restore', name),
      says: `Went back to ${name}.`,
    })),
    ...live.worlds.value
      .filter(({ name }) => name !== live.world.value)
      .map(({ name }) => ({ title: `World ${name}`, about: 'another world', world: name })),
  ]
  return [...places, ...clock, ...wrong, ...world]
}

/** The commands in which all words stand that were typed; those that begin with them first. */
export function fitting(commands: readonly Offer[], text: string): Offer[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = commands.filter(({ title, about }) => {
    const all = `${title} ${about}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  const begins = ({ title }: Offer) => title.toLowerCase().startsWith(words[0] ?? '')
  return [...fits.filter(begins), ...fits.filter((each) => !begins(each))].slice(0, most)
}

/** The moment that was typed, where it is one. */
export function typedMoment({ live }: Panel, text: string): Offer[] {
  const moment = readMoment(text, live.now.value)
  return moment === undefined ? [] : [{ ...goTo(live, moment), about: `clock: ${dayOf(moment)}` }]
}

/** What will happen by itself, in whose words all of it stands that was typed. */
export function eventsFor({ live, routes }: Panel, text: string): Offer[] {
  if (text.trim() === '') return []
  const now = live.now.value
  const [opened] = routes.current.value.rest
  const isOpened = (event: UpcomingEvent) => event.belongsTo.pipeline_uuid === opened
  const upcoming = live.upcoming.value
  // Those of what one looks at first.
  const events = [...upcoming.filter(isOpened), ...upcoming.filter((each) => !isOpened(each))].map(
    (event): Offer => {
      const at = Date.parse(event.at)
      const { does, says } = goTo(live, at)
      const of = event.belongsTo.pipeline_uuid
      const about = `${of === undefined ? '' : `${of}, `}${momentWords(at, now)}`
      return { title: `Go to: ${eventWords(event)}`, about, does, says }
    },
  )
  return fitting(events, text)
}

/** The newest records in which a text stands, of each resource a few. */
export async function findRecords({ live }: Panel, text: string): Promise<Offer[]> {
  const search = text.trim()
  if (search === '') return []
  const stored = live.resources.value.filter(({ isStored }) => isStored)
  const found = await Promise.all(
    stored.map(async (description) => {
      const options = { search, limit: perResource, reverse: true }
      const { records } = await tableOf(live.of, description.plural).page(options)
      return records.map((record) => toOffer(description, record))
    }),
  )
  return found.flat()
}

function toOffer(description: ResourceDescription, record: AnyRecord): Offer {
  const { plural, singular } = description
  const { key } = nameRecord(description, record)
  const { name, status } = record
  const words = [singular.replaceAll('_', ' '), ...(typeof status === 'string' ? [status] : [])]
  return {
    title: typeof name === 'string' && name !== key ? `${name}, ${key}` : key,
    about: words.join(', '),
    goes:
      plural === 'pipelines'
        ? `pipelines/${encodeURIComponent(key)}`
        : `records/${plural}/${encodeURIComponent(key)}`,
  }
}
