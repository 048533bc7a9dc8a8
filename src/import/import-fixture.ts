import { Router } from '../engine/router.ts'
import type { Fixture } from '../factories/fixture-type.ts'
import type { Profile } from '../profiles/define-profile.ts'
import { resources as documented } from '../resources/index.ts'
import type { Flaw } from '../shared/issues.ts'
import type { RecordedExchange } from '../traffic/exchange.ts'
import { buildFixture, withRelativeTimes } from './build-fixture.ts'
import { collectRecords } from './collect-records.ts'
import { type ComparedReplies, compareReplies } from './compare-replies.ts'
import { Pseudonyms } from './pseudonyms.ts'
import { readExchanges } from './read-exchanges.ts'

export interface ImportOptions {
  /** Determines the pseudonyms: the same secret gives the same ones. */
  readonly secret: string
  /** Selects pipelines by their uuid. */
  readonly selects: (pipeline: string) => boolean
  /** The profile of the server that answered. */
  readonly profile?: Profile | undefined
  /** Writes timestamps relative to the clock of the mock. */
  readonly hasRelativeTimes?: boolean | undefined
}

/** A fixture made of recorded replies, and lists of what it does not contain. */
export interface ImportedFixture {
  readonly fixture: Fixture
  /** Uuids of all pipelines in replies, selected or not. */
  readonly pipelines: readonly string[]
  readonly assumed: readonly string[]
  readonly leftOut: readonly Flaw[]
  /** Attributes that no reply showed, by plural. */
  readonly unseen: ReadonlyMap<string, readonly string[]>
  /** Attributes that replies contain and fixtures do not, by plural. */
  readonly unknown: ReadonlyMap<string, ReadonlySet<string>>
  /** Number of exchanges with other paths, or without a whole reply. */
  readonly ignored: number
  readonly replies: ComparedReplies
}

/**
 * Makes a fixture of recorded replies. It contains the records as they were before the first request, with pseudonyms
 * for credentials and e-mail addresses.
 *
 * @throws Error where the recording contains no reply of the API.
 */
export async function importFixture(
  recorded: AsyncIterable<RecordedExchange>,
  { secret, selects, profile, hasRelativeTimes = false }: ImportOptions,
): Promise<ImportedFixture> {
  const resources = profile === undefined ? documented : profile.apply(documented, profile)
  const stored = resources.filter((resource) => resource.stored !== false)
  const pseudonyms = new Pseudonyms(secret)
  const { exchanges, apiKeys, ignored } = await readExchanges(recorded, new Router(resources), pseudonyms)
  const [first] = exchanges
  if (first === undefined) throw new Error(noReplies(ignored))
  const { records, created, unknown, pipelines } = collectRecords(exchanges, stored, selects)
  const built = buildFixture({ records, created }, stored, apiKeys, profile)
  const unseen = stored.flatMap(({ plural, attributes, presents }): [string, string[]][] => {
    const shown = [...(records.get(plural)?.values() ?? [])]
    if (shown.length === 0) return []
    const names = presents === 'all' ? [] : presents.filter((name) => Object.hasOwn(attributes.shape, name))
    return [[plural, names.filter((name) => !shown.some((record) => Object.hasOwn(record, name)))]]
  })
  return {
    ...built,
    fixture: hasRelativeTimes ? withRelativeTimes(built.fixture, stored, first.startedAt) : built.fixture,
    pipelines: [...pipelines].toSorted(),
    unseen: new Map(unseen.filter(([, names]) => names.length > 0)),
    unknown,
    ignored,
    replies: await compareReplies(exchanges, built.fixture, profile, selects),
  }
}

function noReplies(ignored: number): string {
  const found = ignored === 0 ? 'no requests' : `${ignored} requests of other paths, or without a reply`
  return `Expected recorded requests of the API, such as GET /api/pipelines, with replies; found ${found}.`
}
